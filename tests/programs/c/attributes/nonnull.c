// Promises about pointers and allocation.
#include "../check.h"

#include <stdlib.h>
__attribute__((nonnull(1), returns_nonnull)) int *same(int *p) { return p; }
__attribute__((malloc, alloc_size(1))) void *get(unsigned n) { return malloc(n); }
__attribute__((access(read_only, 1, 2))) int sum(const int *a, int n) { int s = 0; while (n--) s += a[n]; return s; }

int main(void) {
  INPUT(x, 0, 6)
  int a[2] = {x, 4};
  CHECK(*same(a) == x);
  int *p = get(4);
  if (!p) return 0;
  *p = x;
  TWIN(sum(a, 2) == *p + 4, sum(a, 2) != 8);
  return 0;
}
