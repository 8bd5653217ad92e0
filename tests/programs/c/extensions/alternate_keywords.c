// Keywords with underscores.
#include "../check.h"

__extension__ typedef __signed__ char byte;
static __inline__ int twice(__const int a) { return 2 * a; }

int main(void) {
  INPUT(x, 0, 9)
  __volatile__ int v = x;
  __const__ int c = __extension__ 3;
  int *__restrict__ p = (int *)&v;
  byte b = -1;
  __extension__ long long w = __extension__ ({ (long long)x; });
  CHECK(b < 0 && c == 3 && *p == x && w == x && __alignof__(int) == 4);
  TWIN(twice(v) == 2 * x, twice(v) != 10);
  return 0;
}
