// Binary constants.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 7)
  CHECK(0b101 == 5 && 0B11111111 == 255 && sizeof 0b1LL == 8 && 0b0 == 0);
  TWIN((x & 0b110) != 0b1, (x & 0b110) != 0b100);
  return 0;
}
