// Integers of 128 bits (where the target has them).
#include "../check.h"

#ifdef __SIZEOF_INT128__
typedef unsigned __int128 u128;
typedef __int128 i128;
#define HALF 64
#else
typedef unsigned long long u128;
typedef long long i128;
#define HALF 32
#endif

int main(void) {
  INPUT(x, 1, 100)
  u128 a = (u128)x << HALF | 5;
  CHECK((int)(a >> HALF) == x && (a & 7) == 5);
  i128 m = -(i128)a;
  CHECK(m < 0 && (u128)m + a == 0 && m >> (HALF - 1) < 0);
  CHECK(a / x >> HALF == 1 && a * 2 > a);
  CHECK(sizeof a == HALF / 4);
  TWIN((a + a) >> HALF == 2 * x, (a + a) >> HALF != 16);
  return 0;
}
