// Packing with names and bit-fields.
#include "../check.h"

#pragma pack(push, outer, 4)
#pragma pack(push, inner, 1)
struct bits { int a : 3; char c; int b : 30; };
#pragma pack(pop, outer)
struct plain { char c; long long l; };

int main(void) {
  INPUT(x, 0, 3)
  CHECK(sizeof(struct bits) == 6);
  struct bits b = {x, 7, 1000000 + x};
  CHECK(b.c == 7 && b.b == 1000000 + x);
  TWIN(b.a == x, b.a != 2);
  return 0;
}
