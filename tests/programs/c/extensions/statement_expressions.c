// The value of a statement expression is that of its last expression.
#include "../check.h"

#define max(a, b) ({ int _a = (a), _b = (b); _a > _b ? _a : _b; })

int main(void) {
  INPUT(x, -5, 5)
  int n = 0;
  int r = ({ int y = x; if (y < 0) y = -y; n++; y; });
  CHECK(n == 1 && r == (x < 0 ? -x : x));
  CHECK(max(max(x, 0), max(-x, 1)) >= 1);
  ({ n++; });
  for (int i = ({ n; }); i < 5; i++) n += ({ if (i == 3) continue; 1; });
  CHECK(n == 4);
  struct { int a; } s = ({ __typeof__(s) t = {x}; t; });
  TWIN(max(x, 2) >= 2 && s.a == x, max(x, 2) < 5);
  return 0;
}
