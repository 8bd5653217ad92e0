// gcc's own jumps out of nested calls.
#include "../check.h"

void *place[5];
int deep(int n) { if (n == 0) __builtin_longjmp(place, 1); return deep(n - 1) + 1; }
__attribute__((noinline)) int attempt(int x) { if (__builtin_setjmp(place)) return 7; if (x < 3) deep(x); return x; }

int main(void) {
  INPUT(x, 0, 4)
  int r = attempt(x);
  TWIN(r == (x < 3 ? 7 : x), r != 7);
  return 0;
}
