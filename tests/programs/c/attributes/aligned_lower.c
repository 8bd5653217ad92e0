// A type name may lower the alignment, a member's attribute may not.
#include "../check.h"

typedef int low __attribute__((aligned(1)));
struct s { char c; low l; };
struct t { char c; int i __attribute__((aligned(2))); };

int main(void) {
  INPUT(x, 0, 5)
  CHECK(sizeof(struct s) == 5 && sizeof(struct t) == 8);
  struct s s = {1, x};
  TWIN(s.l == x, s.l != 4);
  return 0;
}
