// And, or, exclusive or and complement.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 1023)
  CHECK((x & ~x) == 0 && (x | ~x) == -1);
  CHECK((x ^ 0x2aa) == ((x | 0x2aa) & ~(x & 0x2aa)));
  CHECK(x + ~x == -1);
  TWIN((x & 0xf0) <= 240, (x & 0xf0) != 0x50);
  return 0;
}
