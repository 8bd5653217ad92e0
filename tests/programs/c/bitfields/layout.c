// Fields share units, zero width begins a new one.
#include "../check.h"

struct a { unsigned x : 3, y : 30; };
struct b { char c; int x : 20; };
struct c { char a : 3; int : 0; char b : 3; };
struct d { long long x : 40; int y : 20; };

int main(void) {
  INPUT(x, 0, 7)
  CHECK(sizeof(struct a) == 8 && sizeof(struct b) == 4 && sizeof(struct d) == 8);
  CHECK(sizeof(struct c) == 5);
  struct a a = {x, 5};
  TWIN(a.x == x && a.y == 5, a.x != 6);
  return 0;
}
