// Types of a machine mode.
#include "../check.h"

typedef int byte __attribute__((mode(QI)));
typedef unsigned half __attribute__((mode(HI)));
typedef int word __attribute__((mode(SI)));
typedef int twice __attribute__((__mode__(__DI__)));
typedef int pointer __attribute__((mode(__pointer__)));
typedef float df __attribute__((mode(DF)));

int main(void) {
  INPUT(x, 0, 300)
  CHECK(sizeof(byte) == 1 && sizeof(half) == 2 && sizeof(word) == 4 && sizeof(twice) == 8);
  CHECK(sizeof(pointer) == sizeof(void *) && sizeof(df) == 8);
  byte b = x;
  half h = 65535;
  h++;
  TWIN(b == (signed char)x && h == 0, b >= 0);
  return 0;
}
