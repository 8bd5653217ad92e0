// Cleanups of arrays, structures, pointers.
#include "../check.h"

#include <stdlib.h>
int closed;
struct s { int v; };
void end_struct(struct s *s) { closed += s->v; }
void end_array(int (*a)[2]) { closed += (*a)[0] * (*a)[1]; }
void end_pointer(int **p) { closed += **p; }
int run(int x) {
  struct s s __attribute__((cleanup(end_struct))) = {x};
  int a[2] __attribute__((cleanup(end_array))) = {2, 3};
  __attribute__((cleanup(end_pointer))) int *p = &closed;
  closed = 1;
  return closed;
}

int main(void) {
  INPUT(x, 0, 4)
  CHECK(run(x) == 1);
  TWIN(closed == 8 + x, closed != 10);
  return 0;
}
