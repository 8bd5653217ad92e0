// A jump over an initialiser leaves the object without it.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  int n = 0;
  {
    if (x == 2) goto in;
    int v = 7;
    n = v;
  in:
    v = 1;
    n += v;
  }
  TWIN(n == (x == 2 ? 1 : 8), n == 8);
  return 0;
}
