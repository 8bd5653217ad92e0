// A macro is not expanded within itself.
#include "../check.h"

int f(int x) { return x + 1; }
#define f(x) f(f(x))
int v = 2;
#define v (v + 1)

int main(void) {
  INPUT(x, 0, 3)
  TWIN(f(x) == x + 2 && (f)(x) == x + 1 && v == 3, f(x) != 4);
  return 0;
}
