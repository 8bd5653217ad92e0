// Labels declared for a block.
#include "../check.h"

#define FIND(a, n, v) ({ __label__ found; int _i; for (_i = 0; _i < (n); _i++) if ((a)[_i] == (v)) goto found; _i = -1; found: _i; })

int main(void) {
  INPUT(x, 0, 5)
  int a[3] = {1, 3, 5};
  int i = FIND(a, 3, x), j = FIND(a, 3, 5);
  CHECK(j == 2);
  TWIN(i == (x % 2 ? x / 2 : -1), i < 2);
  return 0;
}
