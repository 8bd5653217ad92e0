// Calls without a prototype promote their arguments.
#include "../check.h"

int f();
int g() { return f(1, 2.0f); }
int f(int a, double b) { return a + (int)b; }

int main(void) {
  INPUT(x, 0, 5)
  char c = x;
  CHECK(g() == 3);
  TWIN(f(c, 1.0) == x + 1, f(c, 1.0) != 4);
  return 0;
}
