// Atomic pointers.
#include "../check.h"

#include <stdatomic.h>

int main(void) {
  INPUT(x, 0, 2)
  int a[3] = {5, 6, 7};
  int *_Atomic p = a;
  p += x;
  CHECK(*p == 5 + x);
  int *old = __atomic_fetch_add(&p, 0, __ATOMIC_SEQ_CST);
  TWIN(old == a + x, *old != 6);
  return 0;
}
