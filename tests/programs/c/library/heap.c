// malloc, calloc, realloc and free.
#include "../check.h"

#include <stdlib.h>

int main(void) {
  INPUT(n, 1, 4)
  int *p = malloc(n * sizeof *p);
  if (!p) return 0;
  p[n - 1] = n;
  int *q = realloc(p, 8 * sizeof *q);
  if (!q) return 0;
  CHECK(q[n - 1] == n);
  int *z = calloc(3, sizeof *z);
  if (!z) return 0;
  CHECK(z[0] == 0 && z[2] == 0);
  TWIN(q[n - 1] + z[1] == n, q[n - 1] != 3);
  return 0;
}
