// A flexible array member has the storage of its initialiser or allocation.
#include "../check.h"

#include <stdlib.h>
struct f { int w; int x[]; };
struct f f = {3, {5, 6, 7}};
static struct f empty = {1};

int main(void) {
  INPUT(i, 0, 2)
  CHECK(sizeof(struct f) == 4 && f.x[i] == 5 + i && empty.w == 1);
  struct f *p = malloc(sizeof *p + 3 * sizeof(int));
  if (!p) return 0;
  p->x[i] = 9;
  p->w = 1;
  struct f copy = *p;
  CHECK(copy.w == 1 && p->x[i] == 9);
  TWIN(f.x[i] >= 5, f.x[i] != 7);
  return 0;
}
