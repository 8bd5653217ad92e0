// Bit-fields wider than int compute in their own width.
#include "../check.h"

struct b { unsigned long long a : 40; long long s : 35; };

int main(void) {
  INPUT(x, 0, 255)
  struct b b;
  b.a = 0xff00000000ull + x;
  b.s = -1;
  CHECK(b.a << 8 == ((unsigned long long)x << 8));
  CHECK(b.a + b.a == (0xfe00000000ull + 2 * x));
  CHECK(b.s < 0 && (b.s = 0x400000000LL) < 0);
  TWIN(b.a * 2 < 0x10000000000ull, b.a << 8 != 0x700);
  return 0;
}
