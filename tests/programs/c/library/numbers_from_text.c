// atoi, strtoul, strtod.
#include "../check.h"

#include <stdlib.h>

int main(void) {
  INPUT(x, 0, 9)
  char b[3] = {'1', '0' + x, 0}, *end;
  CHECK(strtoul("0x1fz", &end, 0) == 31 && *end == 'z' && strtol("-077", 0, 0) == -63 && atol(" +5") == 5);
  CHECK(strtod("1.5e1x", &end) == 15 && *end == 'x' && atof(".25") == 0.25);
  TWIN(atoi(b) == 10 + x, atoi(b) != 14);
  return 0;
}
