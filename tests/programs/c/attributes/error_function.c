// A call that never happens may be an error.
#include "../check.h"

extern void never(void) __attribute__((warning("called")));
void never(void) { reach_error(); }
__attribute__((simd)) int f(int x) { return x; }

int main(void) {
  INPUT(x, 0, 6)
  if (x > 6) never();
  TWIN(f(x) <= 6, f(x) < 6);
  return 0;
}
