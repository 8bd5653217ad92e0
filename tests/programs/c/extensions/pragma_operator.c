// The operator form of a pragma, also from macros.
#include "../check.h"

#define PRAGMA(text) _Pragma(#text)
PRAGMA(pack(push, 2))
struct two { char c; int i; };
PRAGMA(pack(pop))
#pragma pack(1)
struct one { char c; int i; };
#pragma pack()
struct four { char c; int i; };

int main(void) {
  INPUT(x, 0, 4)
  CHECK(sizeof(struct two) == 6 && sizeof(struct one) == 5 && sizeof(struct four) == 8);
  struct two t = {1, x};
  TWIN(t.i == x, t.i != 3);
  return 0;
}
