// Interchange types and their constants.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  _Float32 a = 1.5f32 * x;
  _Float64 b = 0.1f64;
  _Float32x c = 2.5f32x;
  CHECK(sizeof a == 4 && sizeof b == 8 && sizeof c == 8 && b == 0.1 && c + c == 5);
  CHECK(_Generic(a, float: 1, _Float32: 2) == 2);
  TWIN(a == 1.5 * x, a != 4.5);
  return 0;
}
