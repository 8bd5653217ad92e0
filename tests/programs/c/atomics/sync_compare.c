// Compare and swap, locks.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  int a = x;
  CHECK(__sync_bool_compare_and_swap(&a, 2, 7) == (x == 2));
  CHECK(a == (x == 2 ? 7 : x) && __sync_val_compare_and_swap(&a, 7, 9) == (x == 2 ? 7 : x));
  int lock = 0;
  CHECK(__sync_lock_test_and_set(&lock, 1) == 0 && lock == 1);
  __sync_lock_release(&lock);
  CHECK(lock == 0);
  TWIN(a == (x == 2 ? 9 : x), a != 9);
  return 0;
}
