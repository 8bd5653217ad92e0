// The first member, or the one that is named.
#include "../check.h"

union u { char c; int i; struct { short a, b; } s; };
union u first = {'a'}, named = {.s = {1, 2}}, last = {.c = 1, .i = 70000};

int main(void) {
  INPUT(x, 0, 9)
  union u l = {.i = x};
  CHECK(first.c == 'a' && first.i == 'a' && named.i == 131073 && last.i == 70000);
  CHECK(l.c == x && l.s.a == x && l.s.b == 0);
  TWIN(sizeof(union u) == 4 && l.i == x, l.i < 9);
  return 0;
}
