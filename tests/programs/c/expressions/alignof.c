// Alignment of types.
#include "../check.h"

struct mixed { char c; long long l; };

int main(void) {
  INPUT(x, 1, 8)
  CHECK(_Alignof(char) == 1 && _Alignof(int) == 4 && _Alignof(short[4]) == 2);
  CHECK(_Alignof(long long) == (sizeof(long) == 8 ? 8 : 4));
  CHECK(__alignof__(long long) == 8);
  CHECK(_Alignof(struct mixed) == (sizeof(long) == 8 ? 8 : 4));
  CHECK(sizeof(struct mixed) == (sizeof(long) == 8 ? 16 : 12));
  TWIN(_Alignof(double) * x >= 4, _Alignof(double) * x < 32);
  return 0;
}
