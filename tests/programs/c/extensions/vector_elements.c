// Elements are read and written by an index.
#include "../check.h"

typedef short v8 __attribute__((vector_size(16)));

int main(void) {
  INPUT(x, 0, 7)
  v8 v = {10, 11, 12, 13, 14, 15, 16, 17};
  v[x] += 100;
  v[0] = v[x] - v[7];
  CHECK(v[0] == (x == 7 ? 0 : 110 + x - 17));
  short *p = (short *)&v;
  TWIN(p[3] == (x == 3 ? 113 : 13), p[3] == 13);
  return 0;
}
