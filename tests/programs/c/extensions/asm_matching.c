// An input stands in the register of an output.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 9)
  unsigned r;
  __asm__("notl %0" : "=r"(r) : "0"(x));
  TWIN(r == ~(unsigned)x, r != ~4u);
  return 0;
}
