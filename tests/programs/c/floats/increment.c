// Steps of one, also where they are lost.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  double d = x + 0.5;
  double old = d++;
  CHECK(old == x + 0.5 && d == x + 1.5);
  float f = 0x1p24f;
  f++;
  CHECK(f == 0x1p24f);
  _Bool b = 0.25;
  CHECK(b == 1 && --d == x + 0.5 && !(d != d) && -d < 0 && !!d);
  TWIN((int)d == x, (int)-d != -3);
  return 0;
}
