// register and auto.
#include "../check.h"

int sum(register int n) { register int s = 0; for (auto int i = 1; i <= n; i++) s += i; return s; }

int main(void) {
  INPUT(x, 0, 5)
  TWIN(sum(x) == x * (x + 1) / 2, sum(x) < 15);
  return 0;
}
