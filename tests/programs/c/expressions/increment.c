// Postfix operators give the old value, prefix ones the new one.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 10)
  int a[4] = {1, 2, 3, 4}, *p = a;
  int i = x;
  int r = i++ * 10 + ++*p++;
  CHECK(i == x + 1 && a[0] == 2 && p == a + 1);
  CHECK(*p-- == 2 && p == a);
  TWIN(r == x * 10 + 2, r != 52);
  return 0;
}
