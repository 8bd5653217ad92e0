// The place of a call, and counters.
#include "../check.h"

#include <string.h>

int main(void) {
  INPUT(x, 0, 3)
  int a = __LINE__, b = __LINE__;
  CHECK(a == b && __builtin_LINE() == __LINE__ && strcmp(__builtin_FUNCTION(), "main") == 0);
  int c = __COUNTER__, d = __COUNTER__;
  CHECK(d == c + 1);
  TWIN(__LINE__ - a == 4, __LINE__ - a + x != 6);
  return 0;
}
