// A conditional without its middle operand has the value of the first.
#include "../check.h"

int calls;
int next(int v) { calls++; return v; }

int main(void) {
  INPUT(x, 0, 5)
  int r = next(x) ?: 9;
  CHECK(calls == 1 && r == (x ? x : 9));
  const char *s = 0;
  CHECK(*(s ?: "d") == 'd');
  TWIN((x > 3 ?: 5) == (x > 3 ? 1 : 5), (x > 3 ?: 5) == 5);
  return 0;
}
