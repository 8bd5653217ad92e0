// assert does nothing where NDEBUG is defined.
#include "../check.h"

#define NDEBUG
#include <assert.h>

int main(void) {
  INPUT(x, 0, 9)
  int n = 0;
  assert(n++ > 5);
  TWIN(n == 0, n + x != 4);
  return 0;
}
