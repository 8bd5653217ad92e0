// A function that runs when a variable's scope ends.
#include "../check.h"

int trace;
void closed(int *p) { trace = trace * 10 + *p; }
int f(int x) { int a __attribute__((cleanup(closed))) = 1; int b __attribute__((cleanup(closed))) = 2; if (x) return trace; b = 3; return 7; }

int main(void) {
  INPUT(x, 0, 1)
  for (int i = 0; i < 2; i++) {
    int v __attribute__((__cleanup__(closed))) = i + 4;
    if (x) continue;
  }
  CHECK(trace == 45);
  trace = 0;
  int r = f(x);
  CHECK(r == (x ? 0 : 7));
  TWIN(trace == (x ? 21 : 31), trace == 21);
  return 0;
}
