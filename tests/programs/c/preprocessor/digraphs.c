// Other spellings of brackets.
#include "../check.h"

%:define HALF(a) ((a) / 2)
int a<:3:> = <%4, 6, 8%>;

int main(void) {
  INPUT(x, 0, 2)
  TWIN(HALF(a<:x:>) == 2 + x, a[x] != 6);
  return 0;
}
