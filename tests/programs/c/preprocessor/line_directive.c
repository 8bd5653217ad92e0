// The line number is what the directive says.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
#line 1000 "other.c"
  int line = __LINE__;
  CHECK(__FILE__[0] == 'o');
  TWIN(line == 1000, line + x != 1002);
  return 0;
}
