// Vectors converted element by element.
#include "../check.h"

typedef int v2 __attribute__((vector_size(8)));
typedef float f2 __attribute__((vector_size(8)));

int main(void) {
  INPUT(x, 0, 3)
  v2 a = {x, 7};
  f2 f = __builtin_convertvector(a, f2);
  CHECK(f[1] == 7.0f);
  TWIN(f[0] == x, f[0] != 2);
  return 0;
}
