// Declarations stand among statements and after labels.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  CHECK(x >= 0);
  int a = x;
  a++;
  int b = a * 2;
  if (b > 4) goto end;
  b = 4;
  end:;
  int c = b;
  TWIN(c == (x > 1 ? 2 * x + 2 : 4), c != 8);
  return 0;
}
