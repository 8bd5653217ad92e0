// Restricted pointers and parameters.
#include "../check.h"

void copy(int n, int *restrict to, const int *__restrict from) { while (n-- > 0) *to++ = *from++; }
int first(int a[restrict static 1]) { return a[0]; }

int main(void) {
  INPUT(x, 0, 4)
  int a[3] = {x, 2, 3}, b[3];
  copy(3, b, a);
  CHECK(b[2] == 3);
  TWIN(first(b) == x, first(b) != 3);
  return 0;
}
