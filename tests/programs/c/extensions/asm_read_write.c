// Two results in fixed registers.
#include "../check.h"

int main(void) {
  INPUT(x, 1, 9)
  unsigned quotient = 47, rest = 0;
  __asm__("divl %2" : "+a"(quotient), "+d"(rest) : "r"(x) : "cc");
  CHECK(quotient * x + rest == 47);
  TWIN(rest < (unsigned)x, rest != 7);
  return 0;
}
