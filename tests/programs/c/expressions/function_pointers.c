// Functions are called through pointers, with and without a star.
#include "../check.h"

int add(int a, int b) { return a + b; }
int sub(int a, int b) { return a - b; }
int (*choose(int which))(int, int) { return which ? add : &sub; }

int main(void) {
  INPUT(x, 0, 10)
  int (*table[2])(int, int) = {add, sub};
  CHECK(table[0](x, 1) == x + 1 && (*table[1])(x, 1) == x - 1 && (**add)(1, 2) == 3);
  CHECK(choose(1) == add && choose(0) != add);
  TWIN(choose(x > 5)(x, 3) <= 13, choose(x > 5)(x, 3) != 9);
  return 0;
}
