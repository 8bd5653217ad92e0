// The alignment of an expression, and of a member.
#include "../check.h"

struct s { char c; double d; } __attribute__((packed));
extern char none;

int main(void) {
  INPUT(x, 0, 4)
  struct s s = {1, x};
  CHECK(__alignof__(s.d) == 1 && __alignof__(double) == 8 && __alignof__(char) == 1 && __alignof__(none) == 1);
  TWIN(s.d == x, s.d + __alignof__(s) != 4);
  return 0;
}
