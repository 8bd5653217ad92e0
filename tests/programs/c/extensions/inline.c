// Inline functions, static, extern and of old GNU kind.
#include "../check.h"

static inline int a(int x) { return x + 1; }
extern inline __attribute__((gnu_inline)) int b(int x) { return x + 2; }
int b(int x) { return x + 2; }
inline int c(int x) { return x + 3; }
extern int c(int x);
__attribute__((always_inline)) static inline int d(int x) { return x + 4; }

int main(void) {
  INPUT(x, 0, 9)
  TWIN(a(x) + b(x) + c(x) + d(x) == 4 * x + 10, a(x) + b(x) + c(x) + d(x) != 26);
  return 0;
}
