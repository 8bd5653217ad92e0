// Classes of characters.
#include "../check.h"

#include <ctype.h>

int main(void) {
  INPUT(x, 0, 127)
  CHECK(!!isdigit(x) == (x >= '0' && x <= '9') && !!isupper(x) == (x >= 'A' && x <= 'Z'));
  CHECK(toupper('q') == 'Q' && tolower('Q') == 'q' && tolower('1') == '1' && isspace('\t') && !isalpha('_'));
  TWIN(!isalnum(x) || !ispunct(x), !isxdigit(x));
  return 0;
}
