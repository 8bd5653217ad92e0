// Strings cut into pieces.
#include "../check.h"

#include <string.h>

int main(void) {
  INPUT(x, 0, 1)
  char s[] = "a,b";
  if (x) s[1] = 'x';
  char *t = strtok(s, ",");
  CHECK(t == s && strlen(t) == (x ? 3 : 1));
  TWIN((strtok(0, ",") == 0) == x, strtok(0, ",") != 0);
  return 0;
}
