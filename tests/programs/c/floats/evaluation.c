// Constants fold in their type.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  float f = 16777216.0f + 1.0f;
  volatile float one = 1.0f;
  CHECK(f == 16777216.0f && 16777216.0f + one == 16777216.0f && 1.0f / 3 != 1.0 / 3);
  float third = x / 3.0f;
  TWIN(third * 3 >= x - 0.01f, third != 1);
  return 0;
}
