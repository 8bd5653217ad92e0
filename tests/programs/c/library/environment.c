// Texts from outside.
#include "../check.h"

#include <stdlib.h>

int main(void) {
  INPUT(x, 0, 3)
  const char *s = getenv("A_NAME_THAT_NOBODY_HAS");
  int r = s ? 1 : 2;
  TWIN(r >= 1 && x <= 3, r + x != 4);
  return 0;
}
