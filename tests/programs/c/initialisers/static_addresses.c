// Static initialisers have addresses, differences and conditions.
#include "../check.h"

int a[4] = {1, 2, 3, 4};
int *p = &a[1], *q = a + 3;
int n = sizeof a / sizeof *a;
long d = 3 ? 4 : 5;
struct s { int i; struct s *self; } s = {3, &s};
const char *words[] = {"one", "two", 0};
int (*f)(void);
static int *pp[2] = {&s.i, (int *)&a[2]};

int main(void) {
  INPUT(x, 0, 2)
  CHECK(*p == 2 && q - p == 2 && n == 4 && s.self->self->i == 3 && f == 0);
  CHECK(words[1][0] == 't' && words[2] == 0 && *pp[1] == 3 && d == 4);
  TWIN(p[x] == 2 + x, p[x] != 4);
  return 0;
}
