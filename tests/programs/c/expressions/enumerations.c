// Enumerators are of type int, enumerations of a type that holds them.
#include "../check.h"

enum color { RED, GREEN = 5, BLUE, LAST = BLUE + 10 };
enum sign { MINUS = -1, PLUS = 1 };
enum { ANONYMOUS = 'a' };

int main(void) {
  INPUT(x, 0, 3)
  enum color c = RED + x;
  CHECK(BLUE == 6 && LAST == 16 && sizeof(enum color) == 4 && ANONYMOUS == 97);
  enum sign s = MINUS;
  CHECK(s < 0);
  enum color d = 0;
  CHECK((enum color)(d - 1) > 0);
  CHECK(RED - 1 < 0);
  TWIN(c <= 3, c != 3);
  return 0;
}
