// Lines that end in a backslash, and comments.
#include "../check.h"

#define LONG 1 + \
  2 /* a comment
  over lines */ + 3

int main(void) {
  INPUT(x, 0, 3)
  int a\
b = LONG; // a comment that goes on \
  ab = 100;
  CHECK(ab == 6 && sizeof "a\
b" == 3);
  TWIN(ab + x >= 6, ab + x != 8);
  return 0;
}
