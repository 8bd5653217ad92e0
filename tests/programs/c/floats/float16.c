// Half precision.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  _Float16 h = 1.0f16;
  h += x;
  _Float16 big = 2048;
  big += (_Float16)1;
  CHECK(sizeof h == 2 && big == 2048 && (_Float16)0.1f != 0.1f);
  TWIN(h == x + 1, h != 4);
  return 0;
}
