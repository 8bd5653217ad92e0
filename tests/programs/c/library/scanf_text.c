// A number is read from a string.
#include "../check.h"

#include <stdio.h>

int main(void) {
  INPUT(x, 0, 9)
  char b[16];
  int n, v = -1;
  sprintf(b, "n=%d", x);
  n = sscanf(b, "n=%d", &v);
  CHECK(n == 1);
  TWIN(v == x, v != 6);
  return 0;
}
