// Attributes about copies of code.
#include "../check.h"

__attribute__((no_icf)) int a(int x) { return x + 1; }
__attribute__((no_icf)) int b(int x) { return x + 1; }
__attribute__((externally_visible, noclone)) int c(int x) { return a(x) + b(x); }
__attribute__((nonnull)) int d(const int *p) { return *p; }

int main(void) {
  INPUT(x, 0, 4)
  CHECK(a != b && d(&x) == x);
  TWIN(c(x) == 2 * x + 2, c(x) != 8);
  return 0;
}
