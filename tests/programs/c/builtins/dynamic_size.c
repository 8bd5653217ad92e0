// Object sizes that are known or not.
#include "../check.h"

#include <stddef.h>
char g[10];
struct s { char a[4]; int b; } s;
size_t of(void *p) { return __builtin_object_size(p, 0); }

int main(void) {
  INPUT(x, 0, 9)
  CHECK(__builtin_object_size(g, 0) == 10 && __builtin_object_size(s.a, 1) == 4 && __builtin_object_size(s.a, 0) == 8);
  CHECK(__builtin_object_size(g + 4, 0) == 6 && of(g) == (size_t)-1);
  g[x] = 1;
  TWIN(g[x] == 1, g[3] == 0);
  return 0;
}
