// Floats become doubles where arguments are variable.
#include "../check.h"

#include <stdarg.h>
double sum(int n, ...) { va_list l; va_start(l, n); double s = 0; while (n--) s += va_arg(l, double); va_end(l); return s; }

int main(void) {
  INPUT(x, 0, 5)
  float f = x;
  TWIN(sum(2, f, 0.5) == x + 0.5, sum(2, f, 0.5) != 3.5);
  return 0;
}
