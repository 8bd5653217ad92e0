// Arrays in structures that functions return are subscripted.
#include "../check.h"

struct s { int a[3]; };
struct s make(int x) { return (struct s){{x, x + 1, x + 2}}; }

int main(void) {
  INPUT(i, 0, 2)
  CHECK(make(5).a[i] == 5 + i && sizeof make(1).a == 12);
  TWIN((i ? make(1) : make(4)).a[1] == (i ? 2 : 5), make(i).a[i] != 2);
  return 0;
}
