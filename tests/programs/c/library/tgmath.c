// Mathematics by the type of the argument.
#include "../check.h"

#include <tgmath.h>

int main(void) {
  INPUT(x, 0, 4)
  CHECK(sizeof fabs(1.0f) == 4 && sizeof fabs(1.0) == 8 && sizeof sqrt(1) == 8 && fabs(-2.5f) == 2.5f);
  TWIN(floor(x + 0.5f) == x, floor(x + 0.5) != 3);
  return 0;
}
