// An atomic structure is read and written as a whole.
#include "../check.h"

struct pair { short a, b; };
_Atomic struct pair shared;

int main(void) {
  INPUT(x, 0, 9)
  shared = (struct pair){x, 2};
  struct pair mine = shared;
  CHECK(mine.b == 2);
  TWIN(mine.a == x, mine.a != 7);
  return 0;
}
