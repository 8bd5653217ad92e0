// Initialisers of static objects need not be constants of the type.
#include "../check.h"

static unsigned char c = 300 & 0xff;
static float f = 1;
static int i = 2.9;
static int *p = (int *)0;
static long l = (long)-1;
static _Bool b = 5;

int main(void) {
  INPUT(x, 0, 4)
  CHECK(c == 44 && f == 1.0f && i == 2 && p == 0 && l < 0 && b == 1);
  TWIN(c + x >= 44, c + x != 46);
  return 0;
}
