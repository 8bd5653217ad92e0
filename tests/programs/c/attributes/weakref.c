// A static name for a symbol that may be missing.
#include "../check.h"

static int maybe(int) __attribute__((weakref("missing_function")));
static int real(int) __attribute__((weakref("present")));
int present(int x) { return x * 2; }

int main(void) {
  INPUT(x, 0, 4)
  CHECK(real(x) == 2 * x);
  TWIN(&maybe == 0, x != 2 || &maybe != 0);
  return 0;
}
