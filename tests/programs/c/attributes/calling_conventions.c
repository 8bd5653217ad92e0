// Calling conventions of 32 bits.
#include "../check.h"

#ifdef __i386__
#define CONVENTION(c) __attribute__((c))
#else
#define CONVENTION(c)
#endif
CONVENTION(fastcall) int fast(int a, int b) { return a - b; }
CONVENTION(stdcall) int standard(int a, int b) { return a * b; }
CONVENTION(regparm(3)) int registers(int a, int b, int c) { return a + b * c; }

int main(void) {
  INPUT(x, 0, 6)
  CHECK(fast(x, 1) == x - 1 && standard(x, 2) == 2 * x);
  TWIN(registers(x, 2, 3) == x + 6, registers(x, 2, 3) != 9);
  return 0;
}
