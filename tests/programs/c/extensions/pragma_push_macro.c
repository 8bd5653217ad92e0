// Macros are kept and come back.
#include "../check.h"

#define SIZE 1
#pragma push_macro("SIZE")
#undef SIZE
#define SIZE 20
int inner = SIZE;
#pragma pop_macro("SIZE")
int outer = SIZE;

int main(void) {
  INPUT(x, 0, 4)
  TWIN(inner + outer + x == 21 + x, inner + x * outer != 23);
  return 0;
}
