// A jump out of nested calls.
#include "../check.h"

#include <setjmp.h>
jmp_buf place;
void deep(int n) { if (n == 0) longjmp(place, 5); deep(n - 1); }

int main(void) {
  INPUT(x, 0, 3)
  volatile int tries = 0;
  int r = setjmp(place);
  tries++;
  if (r == 0 && x < 3) deep(x);
  TWIN(x < 3 ? r == 5 && tries == 2 : r == 0 && tries == 1, r == 5);
  return 0;
}
