// Pragmas for warnings, messages and names.
#include "../check.h"

#pragma GCC warning "seen"
#pragma message "seen as well"
#pragma GCC poison nobody_uses_this
#pragma GCC system_header
#pragma STDC FP_CONTRACT OFF
#pragma unknown words here

int main(void) {
  INPUT(x, 0, 4)
  double a = x * 3.0 + 1.0;
  TWIN(a == 3 * x + 1, a != 10);
  return 0;
}
