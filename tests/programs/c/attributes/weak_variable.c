// A weak variable without a definition has no address.
#include "../check.h"

extern int missing __attribute__((weak));
int defined __attribute__((weak)) = 3;

int main(void) {
  INPUT(x, 0, 4)
  int *p = &missing;
  TWIN(p == 0 && defined == 3, p != 0 || x != 3);
  return 0;
}
