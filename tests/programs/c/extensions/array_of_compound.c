// An array is initialised by a compound literal or a string in parentheses.
#include "../check.h"

struct s { int a, b; };
static struct s t = (struct s){1, 2};
static int *p = (int[]){3, 4, 5};
char text[] = ("abc");

int main(void) {
  INPUT(x, 0, 2)
  static int q[] = (int[3]){6};
  CHECK(t.b == 2 && q[0] == 6 && sizeof q == 12 && sizeof text == 4);
  TWIN(p[x] == 3 + x, p[x] != 4);
  return 0;
}
