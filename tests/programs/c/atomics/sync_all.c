// The older builtins on each width.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 9)
  char c = x; short s = x; int i = x; long long l = x;
  CHECK(__sync_fetch_and_add(&c, 1) == x && __sync_add_and_fetch(&s, 2) == x + 2 && __sync_sub_and_fetch(&l, 3) == x - 3);
  CHECK(__sync_fetch_and_xor(&i, 8) == x && __sync_or_and_fetch(&i, 0) == (x ^ 8) && __sync_and_and_fetch(&i, 1) == (x & 1));
  CHECK(__sync_nand_and_fetch(&i, 1) == ~(x & 1));
  CHECK(__sync_bool_compare_and_swap(&l, x - 3, 50) && __sync_val_compare_and_swap(&l, 1, 2) == 50);
  TWIN(c == x + 1, s != 6);
  return 0;
}
