// Loads, stores and exchanges.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 9)
  int a, b = 3, r;
  __atomic_store_n(&a, x, __ATOMIC_SEQ_CST);
  CHECK(__atomic_load_n(&a, __ATOMIC_SEQ_CST) == x);
  __atomic_load(&a, &r, __ATOMIC_SEQ_CST);
  CHECK(r == x && __atomic_exchange_n(&a, 4, __ATOMIC_SEQ_CST) == x && a == 4);
  __atomic_exchange(&a, &b, &r, __ATOMIC_SEQ_CST);
  CHECK(a == 3 && r == 4);
  r = x;
  __atomic_store(&a, &r, __ATOMIC_RELEASE);
  TWIN(a == x, a != 8);
  return 0;
}
