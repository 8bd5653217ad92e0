// A complex number from its parts.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  double _Complex z = __builtin_complex((double)x, -0.0);
  CHECK(__real__ z == x && __builtin_signbit(__imag__ z));
  CHECK(__builtin_creal(z) == x && __builtin_cimag(__builtin_conj(z)) == 0);
  TWIN(__builtin_creal(z + 1) == x + 1, __builtin_creal(z) != 3);
  return 0;
}
