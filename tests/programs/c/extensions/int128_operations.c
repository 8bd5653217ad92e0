// Integers of 128 bits.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 9)
#ifdef __SIZEOF_INT128__
  unsigned __int128 a = 1;
  a = (a << 100) + x;
  CHECK((unsigned long)(a >> 64) == 1ul << 36 && a / 3 * 3 <= a && sizeof a == 16);
  __int128 n = -(__int128)a;
  CHECK(n < 0 && n >> 100 == (x ? -2 : -1));
  TWIN((int)a == x, (int)a != 4);
#else
  TWIN(x <= 9, x != 4);
#endif
  return 0;
}
