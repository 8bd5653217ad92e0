// An inlined function passes its variable arguments on.
#include "../check.h"

#include <stdarg.h>
int sum(int n, ...) { va_list l; va_start(l, n); int s = 0; while (n--) s += va_arg(l, int); va_end(l); return s; }
extern inline __attribute__((always_inline, gnu_inline)) int all(int first, ...) { return first + sum(__builtin_va_arg_pack_len(), __builtin_va_arg_pack()); }

int main(void) {
  INPUT(x, 0, 5)
  CHECK(all(1) == 1);
  TWIN(all(x, 1, 2, 3) == x + 6, all(x, x, 1) != 9);
  return 0;
}
