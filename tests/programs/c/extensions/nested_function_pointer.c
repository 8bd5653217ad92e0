// A nested function is called through a pointer.
#include "../check.h"

int apply(int (*f)(int), int v) { return f(v) + f(v); }

int main(void) {
  INPUT(x, 0, 5)
  int count = 0;
  int scale(int v) { count++; return v * x; }
  int r = apply(scale, 3);
  CHECK(count == 2);
  TWIN(r == 6 * x, r != 24);
  return 0;
}
