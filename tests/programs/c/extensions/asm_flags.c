// A condition flag as a result.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 9)
  int equal, below;
  __asm__("cmpl %3, %2" : "=@cce"(equal), "=@ccl"(below) : "r"(x), "r"(5));
  CHECK(equal == (x == 5));
  TWIN(below == (x < 5), !equal);
  return 0;
}
