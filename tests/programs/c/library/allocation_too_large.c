// More than PTRDIFF_MAX bytes are never there, and the product of calloc may not wrap.
#include "../check.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  INPUT(x, 0, 3)
  size_t bytes = (size_t)PTRDIFF_MAX + x;
  void *most = x ? malloc(bytes) : 0;
  void *product = calloc(SIZE_MAX / 4 + x, x + 4);
  void *none = calloc(0, SIZE_MAX);
  CHECK(!most && none);
  char *few = malloc(8 + x);
  few[7 + x] = 5;
  TWIN((product == 0) == (x > 0) || x == 0, product != 0 || few[7 + x] != 5 || x != 2);
  return 0;
}
