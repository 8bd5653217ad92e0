// Calling conventions of other systems.
#include "../check.h"

#ifdef __x86_64__
__attribute__((ms_abi)) int other(int a, int b, double c) { return a - b + (int)c; }
__attribute__((sysv_abi)) int own(int a, int b) { return a * b; }
#else
__attribute__((cdecl)) int other(int a, int b, double c) { return a - b + (int)c; }
__attribute__((thiscall)) int own(int a, int b) { return a * b; }
#endif

int main(void) {
  INPUT(x, 0, 4)
  CHECK(own(x, 3) == 3 * x);
  TWIN(other(x, 1, 2.5) == x + 1, other(x, 1, 2.5) != 4);
  return 0;
}
