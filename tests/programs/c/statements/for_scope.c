// A declaration in for hides the outer one.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  int i = 50, inner = 0;
  for (int i = 0, j = x; i < j; i++) { int i = 3; inner += i; }
  CHECK(i == 50 && inner == 3 * x);
  for (struct { int k; } s = {0}; s.k < 2; s.k++) inner++;
  TWIN(inner == 3 * x + 2, inner != 14);
  return 0;
}
