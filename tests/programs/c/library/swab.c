// A library function that writes through a pointer is not passed over.
#include "../check.h"

#define _XOPEN_SOURCE 700
#include <unistd.h>

int main(void) {
  INPUT(x, 0, 9)
  char a[2] = {x, 7}, b[2] = {0, 0};
  swab(a, b, 2);
  TWIN(b[0] == 7 && b[1] == x, b[1] != 5);
  return 0;
}
