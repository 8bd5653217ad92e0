// Attributes about arguments and results.
#include "../check.h"

__attribute__((access(read_only, 1, 2))) int sum(const int *p, int n) { int s = 0; while (n--) s += *p++; return s; }
__attribute__((returns_nonnull, access(none, 1))) void *same(void *p) { return p; }
int plus(int x) __attribute__((nothrow, leaf));
int plus(int x) { return x + 1; }

int main(void) {
  INPUT(x, 0, 4)
  int a[3] = {1, x, 3};
  CHECK(same(a) == a && plus(x) == x + 1);
  TWIN(sum(a, 3) == x + 4, sum(a, 3) != 7);
  return 0;
}
