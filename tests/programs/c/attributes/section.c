// Objects and functions in a section of their own.
#include "../check.h"

__attribute__((section(".mydata"))) int v = 4;
__attribute__((section(".mytext"))) int f(int x) { return x + v; }

int main(void) {
  INPUT(x, 0, 4)
  TWIN(f(x) == x + 4, f(x) != 7);
  return 0;
}
