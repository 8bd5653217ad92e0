// The offset of members, of elements and nested ones.
#include "../check.h"

#include <stddef.h>
struct s { char a; struct { short b; int c[4]; } in; char d; };

int main(void) {
  INPUT(x, 0, 3)
  CHECK(offsetof(struct s, in) == 4 && offsetof(struct s, in.c) == 8 && offsetof(struct s, in.c[2]) == 16);
  CHECK(__builtin_offsetof(struct s, in.c[x]) == 8 + 4 * x);
  CHECK(&((struct s *)0)->d == (char *)24);
  TWIN(offsetof(struct s, d) == 24, offsetof(struct s, in.c[x]) != 16);
  return 0;
}
