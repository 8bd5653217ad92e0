// The left side of a compound assignment is evaluated once.
#include "../check.h"

int calls;
int a[3];
int *at(int i) { calls++; return &a[i]; }

int main(void) {
  INPUT(x, 0, 2)
  *at(x) += 4;
  ++*at(x);
  (*at(x))--;
  int i = 0;
  a[i++] += 10;
  CHECK(i == 1 && calls == 3);
  TWIN(a[x] == (x ? 4 : 14), a[x] != 4);
  return 0;
}
