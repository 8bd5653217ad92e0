// A static local keeps its value, one for each function.
#include "../check.h"

int next(void) { static int n = 10; return n++; }
int other(int reset) { static int n; { static int n = 7; n++; if (reset) return n; } return ++n; }

int main(void) {
  INPUT(x, 1, 4)
  for (int i = 0; i < x; i++) next();
  CHECK(other(0) == 1 && other(1) == 9 && other(0) == 2);
  TWIN(next() == 10 + x, next() != 13);
  return 0;
}
