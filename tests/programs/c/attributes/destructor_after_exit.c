// A destructor runs after exit, too.
#include "../check.h"

#include <stdlib.h>
static int at_end;
__attribute__((destructor)) static void last(void) { TWIN(at_end == 0 || at_end > 2, at_end != 4); }

int main(void) {
  INPUT(x, 0, 5)
  if (x > 2) {
    at_end = x;
    exit(0);
  }
  return 0;
}
