// Only structures without a tag are anonymous members; others declare nothing.
#include "../check.h"

struct tagged { int x; };
typedef struct { int x; } named;
struct a { struct tagged; int y; };
struct b { named; int y; };
struct c { struct inside { int q; }; int y; };
struct d { struct { int x; }; int y; };
static struct c value = {5};

int main(void) {
  INPUT(n, 0, 3)
  struct d d = {n, 1};
  CHECK(sizeof(struct a) == 4 && sizeof(struct b) == 4 && sizeof(struct c) == 4 && sizeof d == 8);
  CHECK(d.x == n);
  TWIN(value.y == 5, value.y != 5 || d.y != n);
}
