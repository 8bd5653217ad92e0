// Compound assignments convert to the type of the left side.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 255)
  unsigned char c = x;
  c += 200;
  CHECK(c == (x + 200) % 256);
  short s = 100;
  s *= 1.5;
  CHECK(s == 150);
  signed char d = x;
  d >>= 1;
  CHECK(d == (x < 128 ? x / 2 : (x - 256) >> 1));
  c <<= 1;
  TWIN(c % 2 == 0, c != 164);
  return 0;
}
