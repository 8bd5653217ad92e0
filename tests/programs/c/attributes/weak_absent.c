// An undefined weak symbol is null.
#include "../check.h"

extern int absent(int) __attribute__((weak));
extern int missing __attribute__((weak));

int main(void) {
  INPUT(x, 0, 4)
  int r = absent ? absent(x) : -1;
  CHECK(&missing == 0);
  TWIN(r == -1, r + x != 2);
  return 0;
}
