// Layout of bit-fields as Microsoft's compilers have it.
#include "../check.h"

struct __attribute__((ms_struct)) m { char a : 4; int b : 4; };
struct __attribute__((gcc_struct)) g { char a : 4; int b : 4; };

int main(void) {
  INPUT(x, 0, 7)
  struct m m = {1, x};
  CHECK(sizeof(struct m) == 8 && sizeof(struct g) == 4);
  TWIN(m.b == x, m.b != 4);
  return 0;
}
