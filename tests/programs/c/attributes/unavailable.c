// What may not be used is not used.
#include "../check.h"

__attribute__((unavailable)) int old(int x);
enum e { A = 1, B __attribute__((unavailable("gone"))), C };
struct s { int a; int b __attribute__((deprecated)); };
typedef int mine __attribute__((deprecated));

int main(void) {
  INPUT(x, 0, 4)
  struct s s = {x, C};
  mine m = s.b;
  TWIN(s.a + m == x + 3, s.a + m != 6);
  return 0;
}
