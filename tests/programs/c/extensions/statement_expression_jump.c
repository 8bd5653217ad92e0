// return and break leave a statement expression.
#include "../check.h"

int f(int x) { int y = 1 + ({ if (x > 3) return -1; x; }); return y; }

int main(void) {
  INPUT(x, 0, 6)
  CHECK(f(x) == (x > 3 ? -1 : x + 1));
  int n = 0;
  while (1) n += ({ if (n >= x) break; 2; });
  TWIN(n >= x && n <= x + 1, n < 6);
  return 0;
}
