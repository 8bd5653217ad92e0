// Casts cut, extend and reinterpret.
#include "../check.h"

int main(void) {
  INPUT(x, -300, 300)
  CHECK((unsigned char)x == ((x % 256) + 256) % 256);
  CHECK((signed char)x >= -128 && (signed char)x <= 127);
  CHECK((unsigned)x == (x < 0 ? 4294967296LL + x : x));
  CHECK((long long)(unsigned)-1 == 4294967295LL);
  CHECK((_Bool)x == (x != 0) && (_Bool)0.5 == 1);
  CHECK((int)2.9 == 2 && (int)-2.9 == -2);
  TWIN((short)(x * 1000) >= -32768, (signed char)x != 100);
  return 0;
}
