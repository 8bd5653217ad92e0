// A call is constructed from the arguments of another.
#include "../check.h"

int target(int a, int b) { return a * 10 + b; }
int forward(int a, int b) { __builtin_return(__builtin_apply((void (*)())target, __builtin_apply_args(), 32)); }

int main(void) {
  INPUT(x, 0, 5)
  TWIN(forward(x, 3) == x * 10 + 3, forward(x, 3) != 43);
  return 0;
}
