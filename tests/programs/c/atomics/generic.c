// The generic forms work on structures.
#include "../check.h"

struct pair { int a, b; };

int main(void) {
  INPUT(x, 0, 9)
  struct pair p = {x, 1}, q, r = {7, 8};
  __atomic_load(&p, &q, __ATOMIC_SEQ_CST);
  CHECK(q.a == x && q.b == 1);
  __atomic_exchange(&p, &r, &q, __ATOMIC_SEQ_CST);
  CHECK(p.a == 7 && q.a == x);
  __atomic_store(&p, &q, __ATOMIC_SEQ_CST);
  TWIN(p.a == x, p.a != 4);
  return 0;
}
