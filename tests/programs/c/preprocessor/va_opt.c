// Optional commas of macros.
#include "../check.h"

#define F(a, ...) f(a __VA_OPT__(,) __VA_ARGS__)
#define G(a, rest...) f(a, ##rest)
#define f(...) count((int[]){__VA_ARGS__}, sizeof((int[]){__VA_ARGS__}) / sizeof(int))
int count(int *p, int n) { int s = n * 100; while (n--) s += *p++; return s; }

int main(void) {
  INPUT(x, 0, 4)
  CHECK(F(1) == 101 && F(1, 2) == 203 && G(4) == 104);
  TWIN(G(x, 1, 2) == 303 + x, F(x, x) != 206);
  return 0;
}
