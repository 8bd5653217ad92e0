// The older atomic operations.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 9)
  int a = x;
  CHECK(__sync_fetch_and_add(&a, 5) == x && a == x + 5);
  CHECK(__sync_sub_and_fetch(&a, 5) == x && __sync_fetch_and_or(&a, 16) == x && a == (x | 16));
  CHECK(__sync_and_and_fetch(&a, 15) == x && __sync_xor_and_fetch(&a, 1) == (x ^ 1));
  CHECK(__sync_fetch_and_nand(&a, 1) == (x ^ 1) && a == ~((x ^ 1) & 1));
  __sync_synchronize();
  TWIN((a & 1) == (x & 1), a != -2);
  return 0;
}
