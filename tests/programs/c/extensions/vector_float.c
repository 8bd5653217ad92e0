// Vectors of floats and their conversions.
#include "../check.h"

typedef float f4 __attribute__((vector_size(16)));
typedef int i4 __attribute__((vector_size(16)));

int main(void) {
  INPUT(x, 0, 9)
  f4 a = {1.5f, 2, 3, x}, b = a * a;
  i4 less = a < b;
  CHECK(b[0] == 2.25f && less[0] == -1 && b[3] == (float)x * x);
  i4 n = __builtin_convertvector(a, i4);
  TWIN(n[0] == 1 && n[3] == x, n[3] != 6);
  return 0;
}
