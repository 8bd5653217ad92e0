// Pragmas of weak symbols and renaming.
#include "../check.h"

int real(int x) { return x * 3; }
#pragma weak maybe
extern int maybe(int);

int main(void) {
  INPUT(x, 0, 4)
  if (maybe) return 0;
  TWIN(real(x) == 3 * x, real(x) != 9);
  return 0;
}
