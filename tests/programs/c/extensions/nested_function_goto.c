// A nested function jumps to a label of the outer one.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 5)
  {
    __label__ failed;
    int steps = 0;
    void check(int v) { steps++; if (v > 2) goto failed; }
    for (int i = 0; i <= x; i++) check(i);
    CHECK(x <= 2);
    return 0;
  failed:
    TWIN(steps == 4 && x > 2, x != 4);
  }
  return 0;
}
