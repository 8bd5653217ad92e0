// A function inside a function calls itself and its sisters.
#include "../check.h"

int walk(int n) {
  int steps = 0;
  auto int odd(int);
  int even(int k) { steps++; return k == 0 ? 1 : odd(k - 1); }
  int odd(int k) { steps++; return k == 0 ? 0 : even(k - 1); }
  return even(n) * 100 + steps;
}

int main(void) {
  INPUT(x, 0, 4)
  TWIN(walk(x) == (x % 2 ? 0 : 100) + x + 1, walk(x) != 103);
  return 0;
}
