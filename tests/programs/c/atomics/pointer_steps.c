// Builtins count bytes, the operators of C count elements.
#include "../check.h"

int a[8];

int main(void) {
  INPUT(x, 0, 3)
  int *p = a;
  __atomic_fetch_add(&p, 4, __ATOMIC_SEQ_CST);
  CHECK(p == a + 1);
  int *_Atomic q = a;
  q += x;
  CHECK(q == a + x && q++ == a + x);
  TWIN(q == a + x + 1, q != a + 3);
  return 0;
}
