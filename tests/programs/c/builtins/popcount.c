// Numbers of ones, parity, and sign bits.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 15)
  CHECK(__builtin_popcount(x) <= 4 && __builtin_popcountll(~0ull) == 64);
  CHECK(__builtin_parity(x) == __builtin_popcount(x) % 2 && __builtin_popcountl(7) == 3);
  CHECK(__builtin_clrsb(0) == 31 && __builtin_clrsb(-1) == 31 && __builtin_clrsb(1) == 30 && __builtin_clrsbll(0) == 63);
  TWIN(__builtin_popcount(x | 16) >= 1, __builtin_popcount(x) != 3);
  return 0;
}
