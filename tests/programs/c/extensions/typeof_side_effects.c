// typeof does not evaluate its operand unless it is of variable length.
#include "../check.h"

int main(void) {
  INPUT(x, 1, 5)
  int n = x;
  typeof(n++) a = 1;
  CHECK(n == x);
  typeof(int[n++]) v;
  CHECK(n == x + 1 && sizeof v == x * sizeof(int));
  TWIN(a + n == x + 2, n != 4);
  return 0;
}
