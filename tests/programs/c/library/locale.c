// The locale of a program that sets none.
#include "../check.h"

#include <locale.h>

int main(void) {
  INPUT(x, 0, 4)
  struct lconv *l = localeconv();
  CHECK(l->decimal_point[0] == '.');
  TWIN(l->decimal_point[1] == 0 && x < 5, l->decimal_point[1] + x != 3);
  return 0;
}
