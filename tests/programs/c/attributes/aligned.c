// Alignment of types, variables and members.
#include "../check.h"

#include <stdint.h>
struct a { char c; int i __attribute__((aligned(16))); };
typedef int wide __attribute__((aligned(8)));
struct b { char c; wide w; };
struct __attribute__((aligned)) c { char c; };
int v __attribute__((aligned(128)));

int main(void) {
  INPUT(x, 0, 5)
  CHECK(sizeof(struct a) == 32 && sizeof(struct b) == 16 && sizeof(struct c) == 16);
  CHECK(__builtin_offsetof(struct b, w) == 8 && (uintptr_t)&v % 128 == 0);
  struct a a = {1, x};
  TWIN(a.i == x, a.i != 3);
  return 0;
}
