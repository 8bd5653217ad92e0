// Expectations and assumptions.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 9)
  int r = 0;
  if (__builtin_expect(x > 5, 0)) r = 1;
  CHECK(__builtin_expect(x, 3) == x && __builtin_expect_with_probability(x, 1, 0.9) == x);
  int *p = __builtin_assume_aligned(&x, 4);
  CHECK(*p == x);
  TWIN(r == (x > 5), r == 0);
  return 0;
}
