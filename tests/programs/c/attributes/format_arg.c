// Formats that pass through.
#include "../check.h"

__attribute__((format_arg(1))) const char *translated(const char *s) { return s; }
__attribute__((format(scanf, 2, 3))) int count(int n, const char *f, ...) { return n + (f[0] == '%'); }
__attribute__((format(strftime, 1, 0))) int first(const char *f) { return f[0]; }

int main(void) {
  INPUT(x, 0, 4)
  int v;
  CHECK(translated("ab")[1] == 'b' && first("q") == 'q');
  TWIN(count(x, "%d", &v) == x + 1, count(x, "%d", &v) != 4);
  return 0;
}
