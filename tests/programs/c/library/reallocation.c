// Memory that grows keeps its contents.
#include "../check.h"

#include <stdlib.h>

int main(void) {
  INPUT(x, 1, 4)
  int *p = malloc(x * sizeof *p);
  if (!p) return 0;
  for (int i = 0; i < x; i++) p[i] = i * i;
  int *q = realloc(p, 2 * x * sizeof *q);
  if (!q) { free(p); return 0; }
  int last = q[x - 1];
  free(q);
  TWIN(last == (x - 1) * (x - 1), last != 4);
  return 0;
}
