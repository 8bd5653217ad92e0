// The value of a range of elements is computed once (GNU C).
#include "../check.h"

static int calls;
static int next(int value) { return value + ++calls; }

int main(void) {
  INPUT(n, 0, 5)
  int i = n;
  int a[4] = {[1 ... 3] = i++};
  CHECK(i == n + 1 && a[1] == n && a[2] == n && a[3] == n && a[0] == 0);
  struct { int x, y; } b[3] = {[0 ... 1] = {next(n), 7}, [2] = {1, 2}};
  CHECK(b[0].x == n + 1 && b[1].x == n + 1 && b[1].y == 7 && b[2].y == 2);
  TWIN(calls == 1, calls == 2);
}
