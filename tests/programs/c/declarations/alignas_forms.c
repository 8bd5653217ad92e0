// Alignment by a number, a type, and of members.
#include "../check.h"

#include <stdalign.h>
#include <stdint.h>
struct s { char c; alignas(8) char d; _Alignas(short) char e; };
static alignas(64) char block[3];

int main(void) {
  INPUT(x, 0, 2)
  CHECK(sizeof(struct s) == 16 && alignof(struct s) == 8 && (uintptr_t)block % 64 == 0);
  _Alignas(16) int v[2] = {x, 1};
  CHECK((uintptr_t)v % 16 == 0);
  TWIN(v[0] == x, v[0] != 1);
  return 0;
}
