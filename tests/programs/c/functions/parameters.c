// Parameters are copies, arrays and functions become pointers.
#include "../check.h"

int f(int a[3], int g(int), int n) { n++; a[0] = g(n); return n + (int)sizeof a; }
int twice(int n) { return 2 * n; }

int main(void) {
  INPUT(x, 0, 5)
  int a[3] = {0, 1, 2};
  int r = f(a, twice, x);
  CHECK(r == x + 1 + sizeof(void *) && a[1] == 1);
  TWIN(a[0] == 2 * x + 2, a[0] != 8);
  return 0;
}
