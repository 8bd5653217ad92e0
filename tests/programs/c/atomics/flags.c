// Flags, fences and lock freedom.
#include "../check.h"

#include <stdatomic.h>
atomic_flag flag = ATOMIC_FLAG_INIT;

int main(void) {
  INPUT(x, 0, 4)
  CHECK(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set_explicit(&flag, memory_order_acquire));
  atomic_flag_clear(&flag);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_acq_rel);
  __sync_synchronize();
  CHECK(__atomic_always_lock_free(4, 0) && !atomic_flag_test_and_set(&flag));
  TWIN(kill_dependency(x) == x, x != 3);
  return 0;
}
