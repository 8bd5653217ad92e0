// Pointers to variadic functions and to functions in structures.
#include "../check.h"

#include <stdarg.h>
int last(int n, ...) { va_list l; va_start(l, n); int r = 0; while (n--) r = va_arg(l, int); va_end(l); return r; }
struct ops { int (*pick)(int, ...); int (*plain)(int); };
int plain(int x) { return -x; }

int main(void) {
  INPUT(x, 0, 5)
  struct ops o = {last, plain}, *p = &o;
  CHECK(p->plain(x) == -x);
  TWIN(p->pick(2, 9, x) == x, p->pick(2, 9, x) != 4);
  return 0;
}
