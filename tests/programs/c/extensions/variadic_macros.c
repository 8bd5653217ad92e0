// Macros with a variable number of arguments.
#include "../check.h"

#define SUM3(a, b, c, ...) ((a) + (b) + (c))
#define CALL(f, args...) f(args)
#define OPTIONAL(a, ...) pick(a, ##__VA_ARGS__, 0)
#define TEXT(...) #__VA_ARGS__
int add(int a, int b) { return a + b; }
int pick(int a, int b, ...) { return a * 10 + b; }

int main(void) {
  INPUT(x, 0, 9)
  CHECK(SUM3(1, 2, x, 4) == x + 3 && CALL(add, x, 1) == x + 1);
  CHECK(OPTIONAL(x) == 10 * x && OPTIONAL(x, 5) == 10 * x + 5);
  CHECK(sizeof TEXT(a, b) == 5);
  TWIN(OPTIONAL(x, x) == 11 * x, OPTIONAL(x, x) != 44);
  return 0;
}
