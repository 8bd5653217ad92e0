// Functions that run at the end.
#include "../check.h"

#include <stdlib.h>
int value;
void end(void) { TWIN(value <= 3, value < 3); }

int main(void) {
  INPUT(x, 0, 3)
  atexit(end);
  value = x;
  return 0;
}
