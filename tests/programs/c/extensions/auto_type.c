// A variable has the type of its initialiser.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 9)
  __auto_type a = x + 1LL;
  __auto_type c = 'c';
  const __auto_type p = &x;
  __auto_type s = (short)x;
  CHECK(sizeof a == 8 && sizeof c == 4 && sizeof s == 2 && *p == x);
  TWIN(a == x + 1, a != 5);
  return 0;
}
