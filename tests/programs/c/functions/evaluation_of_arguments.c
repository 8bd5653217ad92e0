// A global that a call changes is read before or after as gcc does.
#include "../check.h"

int g = 1;
int change(void) { g = 10; return 1; }

int main(void) {
  INPUT(x, 0, 3)
  int a = change();
  int b = a + g;
  CHECK(b == 11);
  g = x;
  int *p = &g;
  p[0] += (a = 2, a);
  TWIN(g == x + 2, g != 4);
  return 0;
}
