// The value of an assignment is what was stored.
#include "../check.h"

struct cell { struct cell *next; int value; } cells[2];

int main(void) {
  INPUT(x, 200, 300)
  unsigned char c;
  int r = c = x;
  CHECK(r == x % 256);
  struct { unsigned f : 3; } b;
  CHECK((b.f = x) == x % 8);
  cells[0].next = &cells[0];
  struct cell *n = cells[0].next->next = &cells[1];
  CHECK(n == &cells[1]);
  TWIN((c += 56) == (x + 56) % 256, (c += 56) != 0);
  return 0;
}
