// Builtins that count bits, of numbers that are not known.
#include "../check.h"

int main(void) {
  INPUT(x, -3, 12)
  unsigned long long wide = (unsigned long long)x << 33;
  CHECK(__builtin_popcount(x & 7) <= 3 && (__builtin_parity(x) == __builtin_popcount(x) % 2));
  CHECK(x <= 0 || (1 << (31 - __builtin_clz(x))) <= x);
  CHECK(x == 0 || (x >> __builtin_ctz(x)) % 2 != 0);
  CHECK(__builtin_ffs(x) == (x ? __builtin_ctz(x) + 1 : 0) && __builtin_ffsll(wide) == (x ? __builtin_ffs(x) + 33 : 0));
  CHECK(__builtin_clrsb(x) >= 27 && __builtin_clrsb(-1) == 31 && __builtin_clrsb(0) == 31);
  CHECK(__builtin_bswap32(x) << 24 >> 24 == (x < 0 ? 255 : 0));
  CHECK(__builtin_bswap16(0x1234) == 0x3412 && __builtin_bswap64(wide) == __builtin_bswap32(wide >> 32));
  TWIN(__builtin_popcountll(wide) <= 33, __builtin_popcountll(wide) + __builtin_popcountl(x) != 6);
  return 0;
}
