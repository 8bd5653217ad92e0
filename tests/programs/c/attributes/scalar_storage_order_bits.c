// Bit-fields in the other byte order.
#include "../check.h"

struct __attribute__((scalar_storage_order("big-endian"))) big { unsigned a : 4, b : 12; };
union { struct big b; unsigned char c[4]; } u;

int main(void) {
  INPUT(x, 0, 15)
  u.b.a = x; u.b.b = 0x234;
  CHECK(u.b.a == x && u.b.b == 0x234);
  TWIN(u.c[0] == x * 16 + 2 && u.c[1] == 0x34, u.c[0] != 0x52);
  return 0;
}
