// Vectors as parameters, results and members.
#include "../check.h"

typedef int v2 __attribute__((vector_size(8)));
struct s { int tag; v2 v; };
v2 turned(v2 v) { return (v2){v[1], v[0]}; }
int sum(struct s s) { return s.tag + s.v[0] + s.v[1]; }

int main(void) {
  INPUT(x, 0, 9)
  struct s s = {1, {x, 20}};
  v2 t = turned(s.v);
  CHECK(t[0] == 20 && t[1] == x && sum(s) == x + 21);
  v2 a[2] = {t, turned(t)};
  TWIN(a[1][0] == x, a[1][0] != 3);
  return 0;
}
