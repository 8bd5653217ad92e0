// Complex numbers to real ones and back.
#include "../check.h"

#include <complex.h>

int main(void) {
  INPUT(x, 0, 5)
  double complex z = x;
  CHECK(cimag(z) == 0 && (int)(z + 0.5) == x && (_Bool)z == (x != 0));
  z /= 2;
  int r = z + 3 * I;
  CHECK(conj(I) == -I && creal(I * I) == -1);
  TWIN(r == x / 2, r != 2);
  return 0;
}
