// Leading and trailing zeros, and the first bit.
#include "../check.h"

int main(void) {
  INPUT(x, 1, 255)
  CHECK(__builtin_clz(x) >= 24 && __builtin_clz(1) == 31 && __builtin_clzll(1) == 63);
  CHECK(__builtin_ctz(x << 3) >= 3 && __builtin_ctzll(1ull << 40) == 40);
  CHECK(__builtin_clzl(1) == 8 * sizeof(long) - 1 && __builtin_ctzl(8) == 3);
  CHECK(__builtin_ffs(0) == 0 && __builtin_ffs(8) == 4 && __builtin_ffsll(1LL << 50) == 51);
  TWIN(1 << __builtin_ctz(x) <= x, __builtin_ctz(x) != 4);
  return 0;
}
