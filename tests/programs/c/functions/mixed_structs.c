// Structures of floats and integers pass by value.
#include "../check.h"

struct a { double d; int i; }; struct b { float x, y, z; }; struct c { long double l; };
struct a fa(struct a v) { v.d += v.i; return v; }
struct b fb(int n, struct b v, float f) { v.z += n + f; return v; }
struct c fc(struct c v) { v.l *= 2; return v; }

int main(void) {
  INPUT(x, 0, 4)
  CHECK(fa((struct a){0.5, x}).d == x + 0.5 && fc((struct c){x}).l == 2 * x);
  TWIN(fb(x, (struct b){1, 2, 3}, 0.5f).z == x + 3.5f, fb(x, (struct b){1, 2, 3}, 0.5f).z != 5.5f);
  return 0;
}
