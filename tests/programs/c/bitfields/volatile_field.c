// Volatile fields and fields of a constant structure.
#include "../check.h"

struct b { volatile unsigned a : 7; unsigned c : 1; };
static const struct b k = {100, 1};

int main(void) {
  INPUT(x, 0, 127)
  struct b b = {x, k.c};
  b.a ^= 1;
  TWIN(b.a == (x ^ 1) && b.c == 1 && k.a == 100, b.a != 81);
  return 0;
}
