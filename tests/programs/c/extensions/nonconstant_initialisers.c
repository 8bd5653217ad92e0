// Elements of an automatic aggregate are any expressions.
#include "../check.h"

int next;
int step(void) { return ++next; }

int main(void) {
  INPUT(x, 0, 9)
  int beat[2] = {x - 1, x + 1};
  struct { int a, b[2]; } s = {x, {[1] = step() * 3}};
  CHECK(beat[1] - beat[0] == 2 && s.b[0] == 0 && s.b[1] == 3);
  TWIN(s.a == x && next == 1, s.a + next != 6);
  return 0;
}
