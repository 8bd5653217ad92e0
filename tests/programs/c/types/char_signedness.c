// Plain char is signed, and the three character types differ.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 255)
  char c = x;
  unsigned char u = c;
  signed char s = c;
  CHECK(u == x && s == c && (c < 0) == (x > 127));
  CHECK(_Generic(c, signed char: 1, unsigned char: 2, char: 3) == 3);
  TWIN((unsigned)c == (x > 127 ? x + 4294967040u : x), c >= 0);
  return 0;
}
