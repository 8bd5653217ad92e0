// Memory of the frame.
#include "../check.h"

int main(void) {
  INPUT(n, 1, 4)
  char *p = __builtin_alloca(n);
  int *q = __builtin_alloca_with_align(8, 64);
  for (int i = 0; i < n; i++) p[i] = i;
  q[1] = n;
  TWIN(p[n - 1] == n - 1 && q[1] == n, p[n - 1] != 2);
  return 0;
}
