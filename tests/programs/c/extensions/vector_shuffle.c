// Shuffles of vectors.
#include "../check.h"

typedef int v4 __attribute__((vector_size(16)));

int main(void) {
  INPUT(x, 0, 3)
  v4 a = {5, 6, 7, 8}, mask = {3, 2, 1, x};
  v4 r = __builtin_shuffle(a, mask);
  CHECK(r[0] == 8 && r[2] == 6);
  TWIN(r[3] == 5 + x, r[3] != 7);
  return 0;
}
