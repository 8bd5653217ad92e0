// Attributes of enumerators, labels and parameters.
#include "../check.h"

enum e { A, B __attribute__((deprecated)) = 5, C };
int f(int a __attribute__((unused)), int b) { return b; }

int main(void) {
  INPUT(x, 0, 3)
  goto end;
  end: __attribute__((unused));
  TWIN(f(1, x) + C == x + 6, f(1, x) + C != 8);
  return 0;
}
