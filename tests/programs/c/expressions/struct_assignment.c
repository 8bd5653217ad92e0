// Structures are assigned, passed and returned by value.
#include "../check.h"

struct pair { int a; char tail[3]; };
struct pair twice(struct pair p) { p.a *= 2; p.tail[1]++; return p; }

int main(void) {
  INPUT(x, 0, 10)
  struct pair p = {x, "ab"}, q;
  q = twice(p);
  CHECK(p.a == x && p.tail[1] == 'b');
  CHECK(q.a == 2 * x && q.tail[0] == 'a' && q.tail[1] == 'c');
  CHECK(twice(twice(q)).a == 8 * x);
  TWIN((p = q).a == 2 * x, twice(p).a != 14);
  return 0;
}
