// Structures as variable arguments.
#include "../check.h"

#include <stdarg.h>
struct s { int a; char c; };
int f(int n, ...) { va_list l; va_start(l, n); struct s s = va_arg(l, struct s); int t = va_arg(l, int); va_end(l); return s.a * 10 + s.c + t; }

int main(void) {
  INPUT(x, 0, 5)
  struct s s = {x, 1};
  TWIN(f(1, s, 3) == 10 * x + 4, f(1, s, 3) != 34);
  return 0;
}
