// Designators of old gcc.
#include "../check.h"

struct s { int a, b; };
int table[4] = {[1] 5, [3] 7};

int main(void) {
  INPUT(x, 0, 3)
  struct s s = {b: x, a: 1};
  CHECK(s.a == 1 && table[0] == 0 && table[3] == 7);
  TWIN(s.b == x, s.b + table[x] != 6);
  return 0;
}
