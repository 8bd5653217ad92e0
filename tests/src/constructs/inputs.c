// The inputs of gcc's build of a construct's program: they that count up from the first argument by the second.
#include <stdlib.h>

static int next, step;

__attribute__((constructor(101))) static void read_arguments(int count, char **arguments) {
  if (count == 3) {
    next = atoi(arguments[1]);
    step = atoi(arguments[2]);
  }
}

int __VERIFIER_nondet_int(void) {
  int value = next;
  next += step;
  return value;
}

void reach_error(void) { _Exit(42); }
