// Random numbers stay in their range.
#include "../check.h"

#include <stdlib.h>

int main(void) {
  INPUT(x, 1, 9)
  srand(x);
  int r = rand();
  CHECK(r >= 0 && r <= RAND_MAX);
  TWIN(r % 10 < 10 && x < 10, x != 4);
  return 0;
}
