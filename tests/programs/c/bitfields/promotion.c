// A bit-field promotes to int where its values fit.
#include "../check.h"

struct b { unsigned n : 31; unsigned w : 32; unsigned char c : 7; };

int main(void) {
  INPUT(x, 0, 100)
  struct b b = {x, x, x};
  CHECK(b.n - 101 < 0 && b.w - 101 > 0 && b.c - 101 < 0);
  CHECK(-b.c <= 0 && ~b.c < 0);
  TWIN(b.c + b.n == 2 * x, b.c + b.n != 20);
  return 0;
}
