// Bits, remainders and comparisons of vectors.
#include "../check.h"

typedef signed char v16 __attribute__((vector_size(16)));

int main(void) {
  INPUT(x, 1, 9)
  v16 v;
  for (int i = 0; i < 16; i++) v[i] = i;
  v16 r = v % (signed char)x, m = (v == r) & ~(v > 7);
  CHECK(r[15] == 15 % x && m[0] == -1);
  TWIN(m[5] == (x > 5 ? -1 : 0), m[5] == 0);
  return 0;
}
