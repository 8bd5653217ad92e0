// Operands with names.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 9)
  int sum;
#ifdef __x86_64__
  __asm__("leal (%q[a],%q[b],2), %[out]" : [out] "=r"(sum) : [a] "r"((long)x), [b] "r"(2L));
#else
  __asm__("leal (%[a],%[b],2), %[out]" : [out] "=r"(sum) : [a] "r"(x), [b] "r"(2));
#endif
  TWIN(sum == x + 4, sum != 9);
  return 0;
}
