// Attributes about warnings and use.
#include "../check.h"

static int a __attribute__((unused)) = 1;
static int b __attribute__((used)) = 2;
__attribute__((deprecated("old"))) int old(int x) { return x + a; }
int warn(int x) __attribute__((warn_unused_result));
int warn(int x) { return x + b; }
__attribute__((cold, noinline, noclone)) static int cold(int x) { return x + 3; }
__attribute__((hot, flatten, optimize("O2"))) int hot(int x) { return cold(x) + 1; }

int main(void) {
  INPUT(x, 0, 6)
  int unused __attribute__((unused));
  TWIN(old(x) + warn(x) + hot(x) == 3 * x + 7, old(x) != 4);
  return 0;
}
