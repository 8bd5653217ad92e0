// exit and return end the program.
#include "../check.h"

#include <stdlib.h>
int done(void) { exit(0); }

int main(void) {
  INPUT(x, 0, 3)
  if (x == 1 && done()) reach_error();
  TWIN(x != 1, x != 2);
  return 0;
}
