// The layout rules of gcc by name.
#include "../check.h"

struct __attribute__((gcc_struct)) g { char a : 4; int b : 4; };

int main(void) {
  INPUT(x, 0, 7)
  CHECK(sizeof(struct g) == 4);
  struct g g = {1, x};
  TWIN(g.b == x, g.b != 5);
  return 0;
}
