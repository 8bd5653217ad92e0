// Domain and range errors of <math.h> set errno.
#include "../check.h"
#include <errno.h>
#include <math.h>

int main(void) {
  INPUT(n, 0, 3)
  volatile double minus = -1 - n, zero = 0, large = 1e308, result;
  errno = 0;
  result = sqrt(minus);
  CHECK(errno == EDOM);
  errno = 0;
  result = fmod(minus, zero);
  CHECK(errno == EDOM);
  errno = 0;
  result = fdim(large, -large);
  TWIN(errno == ERANGE, errno != ERANGE);
}
