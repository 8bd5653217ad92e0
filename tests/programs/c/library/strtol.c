// Numbers from texts.
#include "../check.h"

#include <stdlib.h>

int main(void) {
  INPUT(x, 0, 9)
  char s[] = "10z", *end;
  s[0] = '0' + x;
  CHECK(strtol(s, &end, 10) == 10 * x && end == s + 2 && *end == 'z');
  CHECK(atoi(" -12") == -12 && strtol("0x1f", 0, 0) == 31 && strtoul("077", 0, 0) == 63);
  TWIN(atoi(s) == 10 * x, atoi(s) != 50);
  return 0;
}
