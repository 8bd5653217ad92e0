// Classes of characters by their builtin names.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 9)
  CHECK(__builtin_isdigit('0' + x) && !__builtin_isalpha('0' + x) && __builtin_isspace('\t'));
  CHECK(__builtin_toupper('a') == 'A' && __builtin_tolower('Q') == 'q' && __builtin_isxdigit('f') && !__builtin_isxdigit('g'));
  TWIN(__builtin_isupper('A' + x) && __builtin_islower('a' + x), __builtin_toupper('a' + x) != 'D');
  return 0;
}
