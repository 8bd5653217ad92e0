// Signed operands become unsigned beside unsigned ones of no smaller rank.
#include "../check.h"

int main(void) {
  INPUT(x, -3, 3)
  unsigned u = 1;
  CHECK((x < u) == (x == 0));
  unsigned short s = 1;
  CHECK((x < s) == (x < 1));
  long long w = -1;
  CHECK(w < u);
  CHECK((unsigned long long)w > u);
  CHECK((-1L < 1u) == (sizeof(long) == 8));
  TWIN(x * u + 3u <= 6u, x * u <= 3u);
  return 0;
}
