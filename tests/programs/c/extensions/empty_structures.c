// Structures without members have size zero.
#include "../check.h"

struct empty {};
struct holder { int a; struct empty e; int b; };
struct empty id(struct empty e) { return e; }

int main(void) {
  INPUT(x, 0, 5)
  struct empty e, f = {};
  struct holder h = {x, {}, 7};
  e = id(f);
  CHECK(sizeof(struct empty) == 0 && sizeof(struct holder) == 8);
  TWIN(h.a == x && h.b == 7, h.a + h.b != 10);
  return 0;
}
