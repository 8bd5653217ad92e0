// Designators of elements and members, in any order and nested.
#include "../check.h"

struct in { int a[3]; int b; };
struct out { struct in i[2]; char c; };
struct out o = {.c = 'x', .i[1].a[2] = 7, 8, .i = {[0].b = 3}};

int main(void) {
  INPUT(x, 0, 4)
  int a[] = {[4] = 1, [0] = 2, 3, [2] = x};
  CHECK(sizeof a == 20 && a[0] == 2 && a[1] == 3 && a[3] == 0 && a[4] == 1);
  CHECK(o.c == 'x' && o.i[0].b == 3 && o.i[1].a[2] == 0 && o.i[1].b == 0);
  struct in s = {.b = x, .a = {1, [2] = 3}};
  CHECK(s.a[1] == 0 && s.a[2] == 3);
  TWIN(a[2] == x && s.b == x, a[2] != 3);
  return 0;
}
