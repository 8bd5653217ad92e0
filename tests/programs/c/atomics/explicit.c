// Functions with a memory order.
#include "../check.h"

#include <stdatomic.h>
atomic_int a = ATOMIC_VAR_INIT(1);
atomic_llong l;

int main(void) {
  INPUT(x, 0, 9)
  atomic_init(&l, x);
  atomic_store_explicit(&a, x, memory_order_release);
  CHECK(atomic_load_explicit(&a, memory_order_acquire) == x && atomic_exchange_explicit(&a, 3, memory_order_relaxed) == x);
  int want = 3;
  CHECK(atomic_compare_exchange_strong_explicit(&a, &want, x, memory_order_seq_cst, memory_order_relaxed) && want == 3);
  CHECK(atomic_fetch_add(&l, 1LL << 40) == x);
  TWIN(atomic_load(&l) - x == 1LL << 40, atomic_fetch_sub(&a, 1) != 5);
  return 0;
}
