// The character of escape.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  CHECK('\e' == 27 && "\e[0m"[0] == 27 && sizeof "\e" == 2);
  TWIN('\e' + x < 31, '\e' + x != 28);
  return 0;
}
