// Visibility of all kinds.
#include "../check.h"

__attribute__((visibility("protected"))) int a = 1;
__attribute__((visibility("internal"))) int b(int x) { return x + a; }
typedef int (*pointer)(int) __attribute__((noplt));
__attribute__((noplt)) int c(int x) { return b(x); }

int main(void) {
  INPUT(x, 0, 4)
  TWIN(c(x) == x + 1, c(x) != 4);
  return 0;
}
