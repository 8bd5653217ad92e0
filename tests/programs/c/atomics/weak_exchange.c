// A weak exchange may fail for no reason.
#include "../check.h"

#include <stdatomic.h>
atomic_int a;

int main(void) {
  INPUT(x, 0, 9)
  int seen = 0;
  do { } while (!atomic_compare_exchange_weak(&a, &seen, x));
  CHECK(seen == 0);
  TWIN(a == x, a != 4);
  return 0;
}
