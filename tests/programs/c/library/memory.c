// memset, memcpy, memmove and memcmp.
#include "../check.h"

#include <string.h>

int main(void) {
  INPUT(x, 0, 5)
  int a[4] = {1, 2, 3, 4}, b[4];
  memcpy(b, a, sizeof a);
  memmove(b + 1, b, 3 * sizeof *b);
  CHECK(b[0] == 1 && b[1] == 1 && b[3] == 3 && memcmp(a, b, sizeof *a) == 0);
  memset(a, x, sizeof a);
  TWIN(a[2] == x * 0x01010101, a[2] != 0x03030303);
  return 0;
}
