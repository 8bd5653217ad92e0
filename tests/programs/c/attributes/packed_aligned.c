// Packed and aligned together.
#include "../check.h"

struct s { char a; int b; } __attribute__((packed, aligned(4)));
struct t { char a; struct s s; };

int main(void) {
  INPUT(x, 0, 5)
  CHECK(sizeof(struct s) == 8 && __builtin_offsetof(struct s, b) == 1 && sizeof(struct t) == 12);
  struct s s = {1, x};
  TWIN(s.b == x, s.b != 3);
  return 0;
}
