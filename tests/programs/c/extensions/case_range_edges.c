// Ranges of characters, negative numbers and one element.
#include "../check.h"

int class(int c) {
  switch (c) {
  case 'a' ... 'f': case 'A' ... 'F': return 1;
  case '0' ... '9': return 2;
  case -5 ... -1: return 3;
  case 7 ... 7: return 4;
  default: return 0;
  }
}

int main(void) {
  INPUT(x, -9, 110)
  int c = class(x);
  CHECK((c == 3) == (x >= -5 && x < 0) && (c == 4) == (x == 7));
  TWIN((c == 2) == (x > 47 && x < 58), c != 1);
  return 0;
}
