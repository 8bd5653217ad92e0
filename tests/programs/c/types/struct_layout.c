// Padding and the order of members.
#include "../check.h"

struct a { char c; short s; int i; char d; };
struct b { char c; double d; };
struct c { char c[3]; struct { short s; } in; };

int main(void) {
  INPUT(x, 0, 9)
  CHECK(sizeof(struct a) == 12 && sizeof(struct b) == (sizeof(long) == 8 ? 16 : 12) && sizeof(struct c) == 6);
  struct a a[2] = {{1, 2, x, 4}, {5}};
  CHECK((char *)&a[1] - (char *)a == 12);
  TWIN(a[0].i == x && a[1].i == 0, a[0].i != 6);
  return 0;
}
