// A segment's own memory.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
#ifdef __x86_64__
  unsigned long self = *(unsigned long __seg_fs *)0;
#else
  unsigned long self = *(unsigned long __seg_gs *)0;
#endif
  CHECK(self == (unsigned long)__builtin_thread_pointer());
  TWIN(self != 0, self != 0 && x != 2);
  return 0;
}
