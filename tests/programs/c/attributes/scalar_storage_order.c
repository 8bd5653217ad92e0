// Members in the other byte order.
#include "../check.h"

struct __attribute__((scalar_storage_order("big-endian"))) big { int i; short s; };

int main(void) {
  INPUT(x, 0, 255)
  struct big b;
  b.i = x; b.s = 258;
  CHECK(b.i == x && b.s == 258);
  unsigned char *p = (unsigned char *)&b;
  TWIN(p[3] == x && p[0] == 0 && p[4] == 1, p[3] != 7);
  return 0;
}
