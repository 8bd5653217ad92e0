// Where functions are is for the linker to say; each has one place.
#include "../check.h"

int f(int x) { return x; }
int g(int x) { return x + 1; }

int main(void) {
  INPUT(x, 0, 2)
  char *p = (char *)f, *q = x ? (char *)g : p;
  CHECK((p < q) + (p > q) + (p == q) == 1);
  CHECK((p - q) + (q - p) == 0);
  TWIN((p == q) == !x, p == q);
  return 0;
}
