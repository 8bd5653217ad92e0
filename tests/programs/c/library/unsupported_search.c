// A library function that calls back is not passed over.
#include "../check.h"

#include <search.h>
int calls;
int same(const void *a, const void *b) { calls++; return *(const int *)a != *(const int *)b; }

int main(void) {
  INPUT(x, 1, 3)
  int a[3] = {1, 2, 3};
  __SIZE_TYPE__ n = 3;
  int *p = lfind(&x, a, &n, sizeof *a, same);
  CHECK(p == a + x - 1);
  TWIN(calls == x, calls != 2);
  return 0;
}
