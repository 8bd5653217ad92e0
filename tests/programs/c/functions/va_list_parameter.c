// A list of arguments is handed on.
#include "../check.h"

#include <stdarg.h>
int inner(int n, va_list l) { int s = 0; while (n--) s += va_arg(l, int); return s; }
int outer(int n, ...) { va_list l; va_start(l, n); int r = inner(n, l); va_end(l); return r; }

int main(void) {
  INPUT(x, 0, 5)
  TWIN(outer(3, x, 1, 2) == x + 3, outer(3, x, 1, 2) != 7);
  return 0;
}
