// Variable arguments of several types.
#include "../check.h"

#include <stdarg.h>
long long total(const char *kinds, ...) {
  va_list l;
  va_start(l, kinds);
  long long s = 0;
  for (; *kinds; kinds++)
    switch (*kinds) {
    case 'i': s += va_arg(l, int); break;
    case 'L': s += va_arg(l, long long); break;
    case 'd': s += va_arg(l, double); break;
    case 'p': s += *va_arg(l, int *); break;
    }
  va_end(l);
  return s;
}

int main(void) {
  INPUT(x, 0, 5)
  CHECK(total("") == 0 && total("ii", x, 1) == x + 1);
  TWIN(total("iLdp", x, 4294967296LL, 2.5, &x) == 4294967298LL + 2 * x, total("ip", x, &x) != 6);
  return 0;
}
