// Functions inside of functions use the variables of the outer ones.
#include "../check.h"

int outer(int n) {
  int sum = 0;
  void add(int k) { sum += k * n; }
  for (int i = 1; i <= 3; i++) add(i);
  return sum;
}

int main(void) {
  INPUT(x, 0, 5)
  int calls = 0;
  auto int fact(int);
  int fact(int n) { calls++; return n < 2 ? 1 : n * fact(n - 1); }
  CHECK(outer(x) == 6 * x);
  CHECK(fact(4) == 24 && calls == 4);
  TWIN(outer(x) % 6 == 0, outer(x) != 18);
  return 0;
}
