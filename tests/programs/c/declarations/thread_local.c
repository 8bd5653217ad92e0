// Thread-local objects in a program of one thread.
#include "../check.h"

_Thread_local int a = 5;
static __thread int b;

int main(void) {
  INPUT(x, 0, 3)
  extern _Thread_local int a;
  static _Thread_local int c = 2;
  b += x; c += x;
  TWIN(a + b + c == 7 + 2 * x, a + b + c != 9);
  return 0;
}
