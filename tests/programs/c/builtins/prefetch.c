// Hints that change nothing.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  int a[4] = {1, 2, 3, 4};
  __builtin_prefetch(&a[x], 0, 3);
  __builtin___clear_cache((char *)a, (char *)(a + 4));
  TWIN(a[x] == x + 1, a[x] != 3);
  return 0;
}
