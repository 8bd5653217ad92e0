// Variable arguments are read twice.
#include "../check.h"

#include <stdarg.h>
int twice(int n, ...) {
  va_list a, b;
  va_start(a, n);
  va_copy(b, a);
  int s = 0;
  for (int i = 0; i < n; i++) s += va_arg(a, int);
  for (int i = 0; i < n; i++) s += 10 * va_arg(b, int);
  va_end(a);
  va_end(b);
  return s;
}

int main(void) {
  INPUT(x, 0, 4)
  TWIN(twice(2, x, 1) == 11 * x + 11, twice(3, 1, x, 1) != 44);
  return 0;
}
