// Common and uninitialised storage.
#include "../check.h"

int a __attribute__((common));
int b __attribute__((nocommon)) = 0;
static int c __attribute__((visibility("hidden")));
__attribute__((visibility("default"))) int f(int x) { return x + a + b + c; }

int main(void) {
  INPUT(x, 0, 6)
  a = 1;
  TWIN(f(x) == x + 1, f(x) != 6);
  return 0;
}
