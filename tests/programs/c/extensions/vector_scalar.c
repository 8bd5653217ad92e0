// A scalar is widened to a vector.
#include "../check.h"

typedef unsigned v4 __attribute__((vector_size(16)));

int main(void) {
  INPUT(x, 0, 9)
  v4 v = {1, 2, 3, 4};
  v = 2 * v - 1u;
  CHECK(v[0] == 1 && v[3] == 7);
  v ^= (unsigned)x;
  v4 w = (v << 1) >> 1;
  TWIN(w[1] == (3u ^ x), w[1] != 6);
  return 0;
}
