// Bytes of bit-fields.
#include "../check.h"

union u { struct { unsigned a : 4, b : 8, c : 20; } f; unsigned raw; unsigned char bytes[4]; };

int main(void) {
  INPUT(x, 0, 255)
  union u u = {{1, 0, 3}};
  u.f.b = x;
  CHECK(u.raw == 1 + ((unsigned)x << 4) + (3u << 12));
  CHECK(u.bytes[0] == (1 | (x & 15) << 4));
  u.raw = 0xffffffff;
  u.f.b = x;
  TWIN(u.f.a == 15 && u.f.b == x && u.f.c == 0xfffff, u.f.b != 80);
  return 0;
}
