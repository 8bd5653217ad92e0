// A cleanup in a statement expression and a switch.
#include "../check.h"

int trace;
void end(int *p) { trace = trace * 10 + *p; }

int main(void) {
  INPUT(x, 0, 3)
  int v = ({ int a __attribute__((cleanup(end))) = 1; a + x; });
  switch (x) {
  case 1: { int b __attribute__((cleanup(end))) = 2; break; }
  default: trace *= 10;
  }
  while (1) { int c __attribute__((cleanup(end))) = 3; if (x < 5) break; }
  CHECK(v == x + 1);
  TWIN(trace == (x == 1 ? 123 : 103), trace != 123);
  return 0;
}
