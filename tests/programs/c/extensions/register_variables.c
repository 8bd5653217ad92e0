// A variable in a named register.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 9)
  register int r asm("ebx") = x;
  int s = r + 1;
  TWIN(s == x + 1, s != 5);
  return 0;
}
