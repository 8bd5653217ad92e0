// Conditions of the preprocessor.
#include "../check.h"

#define N 3
#if N > 2 && defined(N) && !defined M
#define A 1
#elif 1
#error "not here"
#else
#endif
#ifndef M
#define B (-1 > 0u)
#endif
#if -1 > 0u
#define C 4
#endif

int main(void) {
  INPUT(x, 0, 3)
  CHECK(A == 1 && B == 1 && C == 4);
  TWIN(x + N >= 3, x + N != 5);
  return 0;
}
