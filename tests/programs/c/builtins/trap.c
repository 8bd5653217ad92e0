// A trap ends the run without the error.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 0)
  if (x) __builtin_trap();
  int r = x;
  TWIN(r == 0, r != 0);
  return 0;
}
