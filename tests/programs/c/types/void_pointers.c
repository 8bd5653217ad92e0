// Conversions through void pointers.
#include "../check.h"

int use(void *p, int kind) { return kind ? *(int *)p : *(char *)p; }

int main(void) {
  INPUT(x, 0, 300)
  int i = x;
  void *p = &i;
  int *q = p;
  CHECK(*q == x && use(p, 1) == x);
  TWIN(use(p, 0) == (signed char)x, use(p, 0) >= 0);
  return 0;
}
