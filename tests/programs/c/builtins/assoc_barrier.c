// A barrier to other orders of evaluation.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  double a = __builtin_assoc_barrier(1.0 + x) - 1.0;
  TWIN(a == x, a != 3);
  return 0;
}
