// An argument of any member's type.
#include "../check.h"

typedef union { int *i; char *c; } either __attribute__((transparent_union));
int nonzero(either e) { return e.c != 0; }
int first(either e) { return *e.i; }

int main(void) {
  INPUT(x, 0, 5)
  char c = 'a';
  CHECK(nonzero(&c) && !nonzero((int *)0) && sizeof(either) == sizeof(void *));
  TWIN(first(&x) == x, first(&x) != 3);
  return 0;
}
