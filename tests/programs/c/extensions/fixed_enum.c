// Enumerations that need more than int.
#include "../check.h"

enum big { BIG = 0x100000000LL, SMALL = 1 };
enum wide { UMAX = 0xffffffff };

int main(void) {
  INPUT(x, 0, 3)
  enum big b = BIG;
  CHECK(sizeof(enum big) == 8 && b / 65536 == 65536 && sizeof(enum wide) == 4 && UMAX > 0);
  TWIN(b + x > 4294967295LL, b + x != 4294967298LL);
  return 0;
}
