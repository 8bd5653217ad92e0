// The value of main, and functions without a value.
#include "../check.h"

void nothing(int *p) { if (*p > 2) return; *p += 10; }

int main(void) {
  INPUT(x, 0, 5)
  int y = x;
  nothing(&y);
  TWIN(y == (x > 2 ? x : x + 10), y != 11);
  return 0;
}
