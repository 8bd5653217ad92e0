// Attributes about copies and inlining.
#include "../check.h"

__attribute__((noipa)) static int a(int x) { return x + 1; }
__attribute__((artificial, always_inline)) inline static int b(int x) { return a(x) + 1; }
__attribute__((target("default"))) int c(int x) { return b(x); }

int main(void) {
  INPUT(x, 0, 6)
  TWIN(c(x) == x + 2, c(x) != 5);
  return 0;
}
