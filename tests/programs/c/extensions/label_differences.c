// Differences of addresses of labels as offsets.
#include "../check.h"

int f(int i) {
  static const int offsets[] = {&&a - &&a, &&b - &&a};
  goto *(&&a + offsets[i]);
a: return 10;
b: return 20;
}

int main(void) {
  INPUT(x, 0, 1)
  TWIN(f(x) == 10 + 10 * x, f(x) == 10);
  return 0;
}
