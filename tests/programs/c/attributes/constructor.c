// Constructors run before main, by priority.
#include "../check.h"

int trace;
__attribute__((constructor(102))) static void second(void) { trace = trace * 10 + 2; }
__attribute__((constructor(101))) static void first(void) { trace = trace * 10 + 1; }
__attribute__((constructor)) static void last(void) { trace = trace * 10 + 3; }

int main(void) {
  INPUT(x, 0, 3)
  TWIN(trace == 123, trace + x != 125);
  return 0;
}
