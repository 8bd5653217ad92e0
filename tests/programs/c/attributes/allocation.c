// Functions that allocate.
#include "../check.h"

#include <stdlib.h>
__attribute__((malloc, alloc_size(1), warn_unused_result)) void *take(size_t n) { return calloc(n, 1); }
__attribute__((malloc(free, 1), alloc_size(1, 2))) void *table(size_t n, size_t m) { return calloc(n, m); }

int main(void) {
  INPUT(x, 0, 3)
  char *p = take(4);
  int *q = table(4, 4);
  if (!p || !q) return 0;
  CHECK(p[x] == 0 && q[x] == 0);
  q[x] = x;
  int r = q[x];
  free(p);
  free(q);
  TWIN(r == x, r != 2);
  return 0;
}
