// const, volatile and restrict in all places.
#include "../check.h"

int swap(int *restrict a, int *restrict b) { int t = *a; *a = *b; return *b = t; }

int main(void) {
  INPUT(x, 0, 7)
  const int c = x;
  volatile int v = 3;
  const volatile int *p = &v;
  int const *const q = &c;
  v += *q;
  int a = 1, b = x;
  CHECK(*p == 3 + x && swap(&a, &b) == 1 && a == x && b == 1);
  int *volatile vp = &a;
  *vp += 1;
  TWIN(a == x + 1, a < 8);
  return 0;
}
