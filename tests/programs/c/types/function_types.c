// Types of functions in typeof, sizeof and comparisons.
#include "../check.h"

int f(int x) { return x; }
typedef int fn(int);
struct table { fn *a, *b; };

int main(void) {
  INPUT(x, 0, 4)
  __typeof__(f) *p = f;
  struct table t = {f, 0};
  CHECK(t.a == p && !t.b && sizeof p == sizeof(void *));
  TWIN((t.b ?: t.a)(x) == x, p(x) != 3);
  return 0;
}
