// Division rounds towards zero and the remainder has the sign of the dividend.
#include "../check.h"

int main(void) {
  INPUT(x, -20, 20)
  int q = x / 3, r = x % 3;
  CHECK(q * 3 + r == x);
  CHECK(r == 0 || (r < 0) == (x < 0));
  CHECK(-7 / 2 == -3 && -7 % 2 == -1 && 7 % -2 == 1);
  unsigned u = -7;
  CHECK(u / 2 == 2147483644u);
  TWIN(r > -3 && r < 3, r != -2);
  return 0;
}
