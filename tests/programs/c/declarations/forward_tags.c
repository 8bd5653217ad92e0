// A structure or union declared alone hides the one of an outer scope.
#include "../check.h"

struct s { char c; };
union u { char c; };

int main(void) {
  INPUT(x, 0, 9)
  int size, kept;
  {
    struct s;
    union u;
    struct holder { struct s *s; union u *u; };
    struct s { int a[4]; };
    union u { short b; int i; };
    struct s inner = {{1, x}};
    struct holder h = {&inner, 0};
    size = sizeof *h.s + sizeof *h.u;
    kept = h.s->a[1];
  }
  CHECK(size == 20 && sizeof(struct s) == 1);
  TWIN(kept == x, kept != 4);
  return 0;
}
