// Shifts have the type of the promoted left side, and to the right keep the sign.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 31)
  unsigned u = 1u << x;
  CHECK(u >> x == 1);
  CHECK(-1 >> x == -1);
  CHECK((-256 >> 4) == -16);
  CHECK(1LL << (x + 20) == (1LL << x) * 1048576);
  CHECK(sizeof(1 << 1LL) == 4);
  TWIN(u != 0, u != 65536);
  return 0;
}
