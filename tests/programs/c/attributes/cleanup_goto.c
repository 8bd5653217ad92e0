// Jumps out of a scope run its cleanups.
#include "../check.h"

int open;
void closed(int *p) { open -= *p; }

int main(void) {
  INPUT(x, 0, 3)
  {
    int a __attribute__((cleanup(closed))) = 1;
    open = 3;
    {
      int b __attribute__((cleanup(closed))) = 2;
      if (x == 1) goto out;
      b = 1;
    }
    CHECK(open == 2);
    if (x == 2) goto out;
  }
  out:
  TWIN(open == (x == 1 ? 0 : 1), open != 0);
  return 0;
}
