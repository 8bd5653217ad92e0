// The qualifier _Atomic, with operators.
#include "../check.h"

_Atomic int a;
_Atomic(long) l = 3;
struct s { _Atomic unsigned char c; } s;

int main(void) {
  INPUT(x, 0, 9)
  a = x;
  a += 2;
  a++;
  CHECK(a-- == x + 3 && a == x + 2);
  s.c = 255;
  s.c++;
  _Atomic int *p = &a;
  *p *= 2;
  TWIN(*p == 2 * x + 4 && s.c == 0 && l == 3, a != 10);
  return 0;
}
