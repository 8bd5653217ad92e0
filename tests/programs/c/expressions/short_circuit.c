// The right side of && and || is evaluated only where it decides.
#include "../check.h"

int calls;
int count(int result) { calls++; return result; }

int main(void) {
  INPUT(x, 0, 3)
  int r = x > 1 && count(x == 2) || x == 0 && count(0);
  CHECK(calls == (x != 1));
  TWIN(r == (x == 2), r == 0);
  return 0;
}
