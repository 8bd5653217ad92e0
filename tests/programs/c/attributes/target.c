// Code for features of the processor.
#include "../check.h"

__attribute__((target("sse2"))) int a(int x) { return x + 1; }
__attribute__((target("no-avx,tune=generic"))) int b(int x) { return a(x) * 2; }
__attribute__((force_align_arg_pointer)) int c(int x) { return b(x); }

int main(void) {
  INPUT(x, 0, 4)
  TWIN(c(x) == 2 * x + 2, c(x) != 6);
  return 0;
}
