// String literals are arrays, and adjacent ones are one.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 6)
  const char *s = "abc" "def";
  CHECK(s[x] == (x == 6 ? 0 : 'a' + x));
  CHECK(sizeof "abc\0def" == 8 && "xyz"[1] == 'y' && *"q" == 'q');
  char copy[] = "hi", exact[2] = "hi";
  CHECK(sizeof copy == 3 && sizeof exact == 2 && exact[1] == 'i');
  TWIN(s[x] != 'g', s[x] != 'e');
  return 0;
}
