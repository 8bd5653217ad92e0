// A pragma decides the order of bytes of structures.
#include "../check.h"

#pragma scalar_storage_order big-endian
struct big { unsigned short h; unsigned w; };
#pragma scalar_storage_order default
struct own { unsigned short h; unsigned w; };

int main(void) {
  INPUT(x, 0, 9)
  struct big b = {0x1200 + x, 0x01020304};
  struct own o = {0x1200 + x, 0x01020304};
  const unsigned char *p = (const unsigned char *)&b, *q = (const unsigned char *)&o;
  CHECK(p[0] == 0x12 && p[1] == x && p[4] == 1 && q[0] == x && q[4] == 4);
  TWIN(b.h == o.h && b.w == o.w, p[1] != 5);
  return 0;
}
