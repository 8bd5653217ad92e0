// A loop of jumps, and a jump into a block.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  int i = 0, s = 0;
  again:
  if (i < x) { s += i; i++; goto again; }
  if (x == 3) goto inside;
  if (0) { inside: s += 100; }
  TWIN(s == x * (x - 1) / 2 + (x == 3 ? 100 : 0), s != 103);
  return 0;
}
