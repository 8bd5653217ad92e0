// Assembly calls a function of the program.
#include "../check.h"

int calls;
__attribute__((used)) void called(void) { calls++; }

int main(void) {
  INPUT(x, 0, 3)
  for (int i = 0; i < x; i++)
    __asm__ volatile("call called" : : : "memory", "cc", "eax", "ecx", "edx"
#ifdef __x86_64__
    , "rsi", "rdi", "r8", "r9", "r10", "r11"
#endif
    );
  TWIN(calls == x, calls != 2);
  return 0;
}
