// The header of C11.
#include "../check.h"

#include <stdatomic.h>
atomic_int counter = ATOMIC_VAR_INIT(4);
atomic_flag flag = ATOMIC_FLAG_INIT;

int main(void) {
  INPUT(x, 0, 9)
  CHECK(atomic_fetch_add(&counter, x) == 4 && atomic_load(&counter) == 4 + x);
  int expected = 9;
  CHECK(atomic_compare_exchange_strong(&counter, &expected, 1) == (x == 5) && expected == (x == 5 ? 9 : 4 + x));
  atomic_store(&counter, x);
  CHECK(atomic_exchange(&counter, 2) == x && !atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag));
  atomic_flag_clear(&flag);
  TWIN(atomic_fetch_sub(&counter, x) == 2, atomic_fetch_sub(&counter, x) + x != 6);
  return 0;
}
