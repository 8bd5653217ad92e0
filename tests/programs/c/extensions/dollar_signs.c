// Names with dollar signs.
#include "../check.h"

int $a = 1, b$c = 2;
struct $s { int $m; };

int main(void) {
  INPUT(x, 0, 5)
  struct $s s$ = {x};
  int $ = $a + b$c;
  TWIN($ == 3 && s$.$m == x, s$.$m != 4);
  return 0;
}
