// Tags, members, labels and variables with one name.
#include "../check.h"

struct x { int x; };
typedef struct x X;

int main(void) {
  INPUT(x, 0, 4)
  struct x y = {x};
  X z = y;
  goto y;
  y: ;
  enum z { q = 7 };
  { int X = 3; x += X - 3; }
  TWIN(z.x == x && q == 7, z.x != 3);
  return 0;
}
