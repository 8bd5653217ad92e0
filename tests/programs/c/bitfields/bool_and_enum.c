// Fields of enumerations, bool and character types.
#include "../check.h"

enum e { A, B, C, D };
struct b { enum e e : 2; _Bool t : 1; signed char c : 3; unsigned short s : 9; };

int main(void) {
  INPUT(x, 0, 3)
  struct b b = {x, x, -x, 500 + x};
  CHECK(b.e == x && b.t == (x > 0) && b.c == -x && b.s == 500 + x);
  CHECK(sizeof b == 4);
  TWIN(b.e <= D, b.e != C);
  return 0;
}
