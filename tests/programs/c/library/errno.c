// The number of the last error is an object.
#include "../check.h"

#include <errno.h>

int main(void) {
  INPUT(x, 0, 3)
  errno = x;
  int *p = &errno;
  CHECK(*p == x);
  TWIN(errno == x && ERANGE != EDOM, errno != 2);
  return 0;
}
