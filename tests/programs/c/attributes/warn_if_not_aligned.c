// Warnings and strictness that change no layout.
#include "../check.h"

struct s { char c; int i __attribute__((warn_if_not_aligned(4))); };
struct __attribute__((designated_init)) t { int a[3] __attribute__((strict_flex_array(3))); };

int main(void) {
  INPUT(x, 0, 6)
  struct s s = {1, x};
  CHECK(sizeof(struct s) == 8);
  TWIN(s.i == x, s.i != 6);
  return 0;
}
