// Addresses with offsets as constants.
#include "../check.h"

int a[4] = {1, 2, 3, 4};
int *p = &a[1] + 1, *end = &*(a + 4);
struct { struct { int *q; } in; char *t; } s = {{&a[3]}, "xyz" + 1};
char *(*pp)[2] = &(char *[2]){"ab", "cd"};
unsigned long diff = (char *)&((struct { char c; int i; } *)0)->i - (char *)0;

int main(void) {
  INPUT(x, 0, 2)
  CHECK(*p == 3 && end - a == 4 && *s.in.q == 4 && *s.t == 'y' && (*pp)[1][0] == 'c' && diff == 4);
  TWIN(p[x - 2] == x + 1, p[-x] != 2);
  return 0;
}
