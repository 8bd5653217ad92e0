// A condition that holds.
#include "../check.h"

#include <assert.h>

int main(void) {
  INPUT(x, 0, 9)
  assert(x >= 0);
  assert(({ x < 10; }));
  static_assert(sizeof x == 4, "int");
  TWIN(x != 10, x != 9);
  return 0;
}
