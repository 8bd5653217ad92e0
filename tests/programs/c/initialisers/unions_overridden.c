// A union has the value of the member that is named last; items for which there is no member are left out.
#include "../check.h"

union u { int a; char b; struct { short low, high; } c; };

int main(void) {
  INPUT(n, 0, 5)
  union u x = {.a = 0x01020304 + n, .b = 9};
  static union u y = {.a = 0x01020304, .c.high = 7, .b = 5};
  struct { union { int a; char b; }; int c; } z = {.a = -1, .b = n, .c = 3};
  union u s = {.c.low = n, .c.high = 2};
  int many[2] = {n, 1, 2, 3, [0] = 8};
  CHECK(y.a == 5 && z.a == n && z.c == 3 && s.c.low == n && s.c.high == 2);
  CHECK(many[0] == 8 && many[1] == 1);
  TWIN(x.a == 9, x.a == 9 + n);
}
