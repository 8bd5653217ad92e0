// The forms for one type.
#include "../check.h"

int main(void) {
  INPUT(x, -3, 3)
  int i;
  long l;
  unsigned long long u;
  CHECK(!__builtin_sadd_overflow(x, 1, &i) && i == x + 1);
  CHECK(!__builtin_smull_overflow(x, 2, &l) && l == 2 * x);
  CHECK(__builtin_uaddll_overflow(~0ull, 1, &u) && u == 0);
  CHECK(__builtin_ssub_overflow(-2147483647 - 1, 1, &i) && i == 2147483647);
  TWIN(__builtin_umul_overflow(65536u, 65536u, (unsigned *)&i) && i == 0, !__builtin_usub_overflow(x + 3, 4, (unsigned *)&i));
  return 0;
}
