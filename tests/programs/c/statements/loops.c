// while, do and for with break and continue.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 8)
  int sum = 0;
  for (int i = 0; i < 10; i++) {
    if (i == x) continue;
    if (i > 8) break;
    sum += i;
  }
  CHECK(sum == 36 - x);
  int n = 0;
  do n++; while (n < x);
  CHECK(n == (x < 1 ? 1 : x));
  while (n--) if (n == 4) break;
  TWIN(n == (x > 4 ? 4 : -1), n == -1);
  return 0;
}
