// Floats in conditions, logical operators and loops.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  double d = x;
  int n = 0;
  for (double i = 0; i < d; i += 0.5) n++;
  CHECK(n == 2 * x && !d == (x == 0) && (d && 1.5f) == (x != 0));
  if (0.1) n++;
  TWIN(n == 2 * x + 1, n != 7);
  return 0;
}
