// The conditional operator has the common type of both sides.
#include "../check.h"

int main(void) {
  INPUT(x, -5, 5)
  unsigned one = 1;
  CHECK((x < 0 ? -1 : one) > 0);
  long long wide = x > 0 ? x : 0LL;
  CHECK(sizeof(x ? 'a' : 1LL) == 8);
  TWIN(wide >= 0, wide != 5);
  return 0;
}
