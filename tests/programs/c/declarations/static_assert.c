// Static assertions stand among declarations and members.
#include "../check.h"

_Static_assert(sizeof(int) == 4, "int");
struct s { char a; _Static_assert(1, "inside"); int b; };

int main(void) {
  INPUT(x, 0, 2)
  _Static_assert(sizeof(struct s) == 8, "no storage");
  _Static_assert((char)-1 < 0, "char is signed");
  enum { N = 3 };
  _Static_assert(N * 2 == 6, "");
  TWIN(x < N, x < N - 1);
  return 0;
}
