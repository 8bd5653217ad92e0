// Recursive and mutually recursive functions.
#include "../check.h"

int even(int n);
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main(void) {
  INPUT(x, 0, 5)
  CHECK(even(x) == (x % 2 == 0));
  TWIN(fib(x) <= 5, fib(x) != 3);
  return 0;
}
