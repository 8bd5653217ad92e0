// Types of all kinds are told apart.
#include "../check.h"

struct s { int a; };

int main(void) {
  INPUT(x, 0, 4)
  int a[2];
  struct s s;
  CHECK(_Generic(a, int *: 1, default: 2) == 1 && _Generic(&a, int (*)[2]: 1, default: 2) == 1);
  CHECK(_Generic(s, struct s: 1, default: 2) == 1 && _Generic(main, int (*)(void): 1, default: 2) == 1);
  CHECK(_Generic(1u, unsigned: 1, default: 2) == 1 && _Generic(1.0f, double: 1, float: 2) == 2 && _Generic('a', int: 1, char: 2) == 1);
  CHECK(_Generic((_Bool)1, _Bool: 1, default: 2) == 1 && _Generic(1 == 1, int: 1, default: 2) == 1);
  CHECK(_Generic(sizeof x, unsigned: 1, unsigned long: 1, default: 2) == 1 && _Generic((enum { E })0, unsigned: 1, default: 2) == 1);
  TWIN(_Generic(x++, int: x) <= 4, _Generic(0, int: x) != 3);
  return 0;
}
