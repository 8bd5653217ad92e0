// The old meaning of inline.
#include "../check.h"

extern inline __attribute__((gnu_inline)) int one(int x) { return x + 1; }
int one(int x) { return x + 1; }
static __inline__ int two(int x) { return one(x) + 1; }
extern __inline int three(int x) { return two(x) + 1; }

int main(void) {
  INPUT(x, 0, 4)
  TWIN(three(x) == x + 3, three(x) != 6);
  return 0;
}
