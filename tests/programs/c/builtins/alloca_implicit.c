// alloca without a declaration.
#include "../check.h"

int main(void) {
  INPUT(n, 1, 4)
  char *p = __builtin_alloca(n), *q = alloca(n + 1);
  q[n] = n;
  p[0] = 1;
  TWIN(q[n] == n && p[0] == 1, q[n] != 3);
  return 0;
}
