// Members of a union share their bytes.
#include "../check.h"

union u { int i; unsigned char b[4]; struct { short low, high; } s; };

int main(void) {
  INPUT(x, 0, 255)
  union u u;
  u.i = 0x01020300 + x;
  CHECK(u.b[0] == x && u.b[3] == 1 && u.s.high == 0x102);
  u.b[1] = 0xff;
  CHECK((u.i & 0xff00) == 0xff00);
  union u v = u;
  v.s.low = -1;
  TWIN(v.i == 0x0102ffff && u.b[0] == x, u.b[0] != 16);
  return 0;
}
