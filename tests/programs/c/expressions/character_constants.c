// Escapes, octal and hexadecimal characters, several characters.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  CHECK('\n' == 10 && '\0' == 0 && '\x41' == 'A' && '\101' == 65 && '\?' == '?');
  CHECK('\xff' == -1 && '\377' == -1);
  CHECK('ab' == 'a' * 256 + 'b');
  CHECK("\x41\102C"[2] == 'C' && "\0012"[1] == '2');
  CHECK('\a' == 7 && '\b' == 8 && '\f' == 12 && '\v' == 11 && '\\' == 92);
  TWIN('a' + x < 'e', 'a' + x != 'c');
  return 0;
}
