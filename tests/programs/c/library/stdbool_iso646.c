// Other spellings.
#include "../check.h"

#include <stdbool.h>
#include <iso646.h>

int main(void) {
  INPUT(x, 0, 4)
  bool b = x and not (x == 2);
  b or_eq false;
  CHECK(true == 1 and false == 0 and (compl 0) == -1 and (5 xor 1) == 4 and (6 bitand 3) == 2);
  TWIN(b == (x != 0 && x not_eq 2), b);
  return 0;
}
