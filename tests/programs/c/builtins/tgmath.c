// A call is chosen by the types of its arguments.
#include "../check.h"

float one_f(float x) { return x + 1; }
double one_d(double x) { return x + 2; }
long double one_l(long double x) { return x + 3; }
#define one(x) __builtin_tgmath(one_f, one_d, one_l, x)

int main(void) {
  INPUT(x, 0, 5)
  CHECK(one(1.0f) == 2 && one(1.0) == 3 && one(1.0L) == 4 && sizeof one(1.0f) == sizeof(float));
  TWIN(one(x) == x + 2, one(x) != 6);
  return 0;
}
