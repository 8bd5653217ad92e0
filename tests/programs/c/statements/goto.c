// Jumps forwards, backwards, into blocks and out of loops.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 5)
  int i = 0, sum = 0;
  again:
  sum += i;
  if (i++ < x) goto again;
  CHECK(sum == x * (x + 1) / 2);
  if (x == 2) goto inside;
  for (;;) {
    for (;;) if (i++ > 8) goto out;
  }
  out:
  if (x < 0) {
  inside:
    sum += 100;
  }
  TWIN(sum == x * (x + 1) / 2 + (x == 2 ? 100 : 0), sum < 100);
  return 0;
}
