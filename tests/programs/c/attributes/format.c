// Formats, sentinels and their arguments.
#include "../check.h"

#include <stdarg.h>
__attribute__((format(printf, 1, 2))) int first(const char *f, ...) { va_list l; va_start(l, f); int r = va_arg(l, int); va_end(l); return r; }
__attribute__((sentinel)) int count(int first, ...) { va_list l; va_start(l, first); int n = 0; while (va_arg(l, char *)) n++; va_end(l); return n; }

int main(void) {
  INPUT(x, 0, 6)
  CHECK(count(1, "a", "b", (char *)0) == 2);
  TWIN(first("%d", x) == x, first("%d", x) != 2);
  return 0;
}
