// The clock is any value.
#include "../check.h"

#include <time.h>

int main(void) {
  INPUT(x, 0, 3)
  time_t t = 0, r = time(&t);
  CHECK(r == t);
  TWIN(x <= 3, x != 2);
  return 0;
}
