// Functions that do not return.
#include "../check.h"

#include <stdlib.h>
__attribute__((noreturn)) void stop(int code) { exit(code); }
_Noreturn void leave(void) { stop(0); }

int main(void) {
  INPUT(x, 0, 4)
  if (x == 2) leave();
  TWIN(x != 2, x != 3);
  return 0;
}
