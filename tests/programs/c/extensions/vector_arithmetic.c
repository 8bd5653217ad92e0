// Vectors compute element by element.
#include "../check.h"

typedef int v4 __attribute__((vector_size(16)));

int main(void) {
  INPUT(x, 0, 9)
  v4 a = {1, 2, 3, x}, b = {10, 20, 30, 40};
  v4 c = a + b * 2;
  CHECK(c[0] == 21 && c[3] == 80 + x);
  c = -a; c <<= 1;
  CHECK(c[1] == -4 && sizeof(v4) == 16);
  v4 d = a + 1;
  CHECK(d[2] == 4);
  TWIN(d[3] == x + 1, d[3] != 8);
  return 0;
}
