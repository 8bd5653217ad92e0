// A transparent union takes a pointer of any of its members.
#include "../check.h"

typedef union { int *i; float *f; void *v; } any __attribute__((transparent_union));
int taken(any a, int whole) { return whole ? *a.i : (int)*a.f; }

int main(void) {
  INPUT(x, 0, 9)
  float f = x + 0.5f;
  CHECK(taken(&f, 0) == x && taken((void *)&x, 1) == x);
  TWIN(taken(&x, 1) == x, taken(&x, 1) != 6);
  return 0;
}
