// Flags, fences and lock freedom.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  _Bool f = 0;
  CHECK(!__atomic_test_and_set(&f, __ATOMIC_SEQ_CST) && f && __atomic_test_and_set(&f, __ATOMIC_SEQ_CST));
  __atomic_clear(&f, __ATOMIC_SEQ_CST);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  CHECK(!f && __atomic_always_lock_free(4, 0) && __atomic_is_lock_free(4, &x));
  TWIN(f + x <= 3, f + x != 2);
  return 0;
}
