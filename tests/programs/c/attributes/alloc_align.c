// Alignment of what a function returns.
#include "../check.h"

#include <stdlib.h>
#include <stdint.h>
__attribute__((alloc_align(1), assume_aligned(32))) void *aligned(size_t a, size_t n) { return aligned_alloc(a, n); }

int main(void) {
  INPUT(x, 0, 3)
  int *p = aligned(32, 32);
  if (!p) return 0;
  p[x] = x;
  int r = p[x] + (int)((uintptr_t)p % 32);
  free(p);
  TWIN(r == x, r != 2);
  return 0;
}
