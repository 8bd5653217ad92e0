// A place that is never reached.
#include "../check.h"

int sign(int x) { if (x > 0) return 1; if (x <= 0) return 0; __builtin_unreachable(); }

int main(void) {
  INPUT(x, -2, 2)
  TWIN(sign(x) == (x > 0), sign(x) == 0);
  return 0;
}
