// Output by builtins has a result.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 9)
  char b[16];
  CHECK(__builtin_printf("%d\n", x) == 2);
  CHECK(__builtin_sprintf(b, "%d-%s", x, "ab") == 4 && b[0] == '0' + x);
  int n = __builtin_snprintf(b, 3, "%05d", x);
  CHECK(n == 5 && b[2] == 0);
  TWIN(b[1] == '0', n != 5 || x != 7);
  return 0;
}
