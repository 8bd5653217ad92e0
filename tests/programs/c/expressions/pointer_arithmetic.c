// Pointers move by elements, and their difference counts elements.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  int a[5] = {0, 10, 20, 30, 40};
  int *p = a + x, *end = &a[5];
  CHECK(end - p == 5 - x);
  CHECK((char *)end - (char *)p == (5 - x) * (int)sizeof(int));
  CHECK(p < end && p >= a);
  CHECK(x[a] == *p && *(x + a) == 10 * x);
  p += 4 - x;
  TWIN(*p-- == 40 && *p == 30, a[x] != 20);
  return 0;
}
