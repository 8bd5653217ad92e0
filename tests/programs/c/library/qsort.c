// Sorting with a comparison.
#include "../check.h"

#include <stdlib.h>
int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
  INPUT(x, 0, 3)
  int a[3] = {2, x, 1};
  qsort(a, 3, sizeof *a, up);
  CHECK(a[0] <= a[1] && a[1] <= a[2]);
  TWIN(a[0] + a[1] + a[2] == x + 3, a[2] != 3);
  return 0;
}
