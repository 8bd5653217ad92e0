// Packing to two bytes, and back.
#include "../check.h"

#pragma pack(2)
struct two { char a; int b; char c; long long d; };
#pragma pack()
struct none { char a; int b; };

int main(void) {
  INPUT(x, 0, 5)
  struct two t = {1, x, 2, 3};
  CHECK(sizeof t == 16 && __builtin_offsetof(struct two, b) == 2 && _Alignof(struct two) == 2);
  CHECK(sizeof(struct none) == 8);
  TWIN(t.b + t.d == x + 3, t.b != 4);
  return 0;
}
