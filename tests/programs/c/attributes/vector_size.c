// Vectors of several sizes, and their elements.
#include "../check.h"

typedef short v8 __attribute__((vector_size(16)));
typedef float f2 __attribute__((vector_size(8)));

int main(void) {
  INPUT(x, 0, 7)
  v8 a = {0, 1, 2, 3, 4, 5, 6, 7};
  f2 f = {1.5f, 2};
  CHECK(sizeof(v8) == 16 && sizeof(f2) == 8);
  f = f * f;
  CHECK(f[0] == 2.25f);
  TWIN(a[x] == x, a[x] != 5);
  return 0;
}
