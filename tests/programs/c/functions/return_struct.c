// Structures of any size are returned, and their members used.
#include "../check.h"

struct big { int a[8]; };
struct small { char c; };
struct big make(int x) { struct big b = {{x}}; b.a[7] = x + 1; return b; }
struct small tiny(int x) { return (struct small){x}; }

int main(void) {
  INPUT(x, 0, 5)
  CHECK(make(x).a[0] == x && tiny(x + 256).c == x);
  struct big b = make(x), *p = &b;
  *p = make(p->a[7]);
  TWIN(b.a[0] == x + 1, b.a[0] != 4);
  return 0;
}
