// The type of an expression or type.
#include "../check.h"

#define swap(a, b) do { __typeof__(a) _t = (a); (a) = (b); (b) = _t; } while (0)

int main(void) {
  INPUT(x, 0, 9)
  typeof(x) y = 3;
  typeof(int *) p = &y, q = &x;
  swap(p, q);
  CHECK(*p == x && *q == 3);
  __typeof__(x + 1LL) w = 4294967296LL * x;
  typeof(char[7]) a;
  __typeof__(*&a[0]) c = 300;
  CHECK(sizeof w == 8 && sizeof a == 7 && c == 44);
  const int k = 2;
  typeof(typeof(k) *) pk = &k;
  __auto_type z = w + *pk;
  TWIN(z == 4294967296LL * x + 2, w / 4294967296LL < 9);
  return 0;
}
