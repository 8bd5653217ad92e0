// Builtin forms of variable arguments.
#include "../check.h"

int sum(int n, ...) {
  __builtin_va_list l, m;
  __builtin_va_start(l, n);
  __builtin_va_copy(m, l);
  int s = 0;
  for (int i = 0; i < n; i++) s += __builtin_va_arg(l, int);
  s += 100 * __builtin_va_arg(m, int);
  __builtin_va_end(l);
  __builtin_va_end(m);
  return s;
}

int main(void) {
  INPUT(x, 0, 3)
  TWIN(sum(2, x, 5) == 101 * x + 5, sum(2, x, 5) != 207);
  return 0;
}
