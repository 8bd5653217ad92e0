// Searching with a comparison.
#include "../check.h"

#include <stdlib.h>
int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
  INPUT(x, 0, 7)
  int a[4] = {1, 3, 5, 7};
  int *p = bsearch(&x, a, 4, sizeof *a, up);
  TWIN(x % 2 ? p == a + x / 2 : p == 0, p != a + 2);
  return 0;
}
