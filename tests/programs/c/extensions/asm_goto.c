// Assembly with a label to jump to.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  int r = x;
  asm goto("" : : : : away);
  r++;
  away:
  TWIN(x < 4, x < 3);
  return 0;
}
