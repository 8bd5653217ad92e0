// The operand that is not chosen may be nonsense.
#include "../check.h"

#define size_or(x, other) __builtin_choose_expr(__builtin_types_compatible_p(__typeof__(x), int), sizeof(x), other)

int main(void) {
  INPUT(x, 0, 4)
  CHECK(size_or(x, (void)0) == 4 && size_or(1.0, 9) == 9);
  __typeof__(__builtin_choose_expr(1, (char)0, 0L)) c = 300;
  TWIN(c == 44 && x < 5, c + x != 46);
  return 0;
}
