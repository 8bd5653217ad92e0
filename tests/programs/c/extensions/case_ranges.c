// Cases of a range of values.
#include "../check.h"

int class(int c) {
  switch (c) {
  case '0' ... '9': return 1;
  case 'a' ... 'f': case 'A' ... 'F': return 2;
  case -5 ... -1: return 3;
  }
  return 0;
}

int main(void) {
  INPUT(x, 0, 300)
  CHECK(class('5') == 1 && class('F') == 2 && class('g') == 0 && class(-5) == 3 && class(-6) == 0);
  TWIN((class(x) == 1) == (x >= 48 && x <= 57), class(x) != 2);
  return 0;
}
