// Cases fall through, and default may stand anywhere.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 6)
  int r = 0;
  switch (x) {
  default: r += 100;
  case 1: r += 1; break;
  case 2:
  case 3: r += 2;
  case 4: r += 4; break;
  case 5: r = 5;
  }
  CHECK(r == (int[]){101, 1, 6, 6, 4, 5, 101}[x]);
  TWIN(r != 2, r != 4);
  return 0;
}
