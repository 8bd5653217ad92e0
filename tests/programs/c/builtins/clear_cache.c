// Caches and the processor's features.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  char b[16] = {0};
  __builtin___clear_cache(b, b + 16);
  __builtin_cpu_init();
  int r = __builtin_cpu_supports("sse2") ? 1 : 0;
  TWIN(r + b[x] <= 1, x + b[x] != 3);
  return 0;
}
