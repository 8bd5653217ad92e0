// Pragmas that change nothing, and packing.
#include "../check.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused"
#pragma pack(push, 1)
struct packed { char a; int b; };
#pragma pack(pop)
struct normal { char a; int b; };
#pragma GCC diagnostic pop

int main(void) {
  INPUT(x, 0, 5)
#pragma GCC unroll 4
  for (int i = 0; i < 2; i++) x += 0;
  _Pragma("GCC ivdep") for (int i = 0; i < 2; i++) ;
  struct packed p = {1, x};
  CHECK(sizeof(struct packed) == 5 && sizeof(struct normal) == 8);
  TWIN(p.b == x, p.b != 3);
  return 0;
}
