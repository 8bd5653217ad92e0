// A generic selection takes the branch of the type, after conversion of arrays and qualifiers.
#include "../check.h"

#define kind(e) _Generic((e), int: 1, unsigned: 2, char *: 3, const char *: 4, double: 5, float: 6, long long: 7, int (*)(void): 8, default: 9)
struct s { int i; };
int f(void) { return 0; }

int main(void) {
  INPUT(x, 0, 5)
  const int c = 1;
  const char *p = "";
  CHECK(kind(c) == 1 && kind(x) == 1 && kind(1u) == 2 && kind("") == 3 && kind(p) == 4);
  CHECK(kind(1.0) == 5 && kind(1.0f) == 6 && kind(1LL) == 7 && kind(f) == 8 && kind((struct s){1}) == 9);
  CHECK(kind('a') == 1 && kind((char)1) == 9 && kind(+(char)1) == 1 && kind(x ? 1 : 1u) == 2);
  CHECK(_Generic(&x, int *: 1, const int *: 2) == 1 && _Generic(&c, int *: 1, const int *: 2) == 2);
  CHECK(_Generic(x, int: x + 1, default: reach_error()) == x + 1);
  TWIN(_Generic(x, long: 0, int: x) <= 5, _Generic(x, long: 0, int: x) < 5);
  return 0;
}
