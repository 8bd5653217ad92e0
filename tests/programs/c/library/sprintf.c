// Numbers written as text.
#include "../check.h"

#include <stdio.h>
#include <string.h>

int main(void) {
  INPUT(x, 0, 9)
  char s[16];
  int n = sprintf(s, "%d-%c", x, 'q');
  CHECK(n == 3 && s[0] == '0' + x && s[1] == '-' && s[2] == 'q');
  TWIN(snprintf(s, 3, "%x", 0x1230 + x) == 4 && strlen(s) == 2, s[0] != '5');
  return 0;
}
