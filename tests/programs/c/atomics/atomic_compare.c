// Compare and exchange writes back what was there.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  int a = x, expected = 2;
  _Bool done = __atomic_compare_exchange_n(&a, &expected, 7, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  CHECK(done == (x == 2) && expected == (x == 2 ? 2 : x));
  int wanted = 8;
  done = __atomic_compare_exchange(&a, &expected, &wanted, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  CHECK(done == (x != 2));
  TWIN(x == 2 ? a == 7 && expected == 7 : a == 8, a != 7);
  return 0;
}
