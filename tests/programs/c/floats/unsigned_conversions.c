// Large unsigned values to floats and back.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  unsigned u = 4000000000u + x;
  unsigned long long l = 0x8000000000000000u;
  double d = u;
  CHECK(d == 4000000000.0 + x && (unsigned)d == u && (double)l == 0x1p63 && (unsigned long long)0x1.8p63 == 0xc000000000000000u);
  CHECK((float)0xffffffffu == 0x1p32f && (float)16777217 == 16777216);
  TWIN((long long)d == 4000000000LL + x, (unsigned)d != 4000000003u);
  return 0;
}
