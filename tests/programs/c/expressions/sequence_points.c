// Arguments are evaluated before the call, and full expressions end before the next.
#include "../check.h"

int trace;
int note(int n) { trace = trace * 10 + n; return n; }

int main(void) {
  INPUT(x, 1, 3)
  int r = (note(1), note(2)) + (note(3) ? note(x) : 0);
  CHECK(trace == 1230 + x);
  CHECK(r == 2 + x);
  int i = 0, a[3] = {i++, i++, i++};
  CHECK(i == 3 && a[0] == 0 && a[2] == 2);
  TWIN(note(4) == 4 && trace == 12304 + 10 * x, trace == 1231 || trace == 1232);
  return 0;
}
