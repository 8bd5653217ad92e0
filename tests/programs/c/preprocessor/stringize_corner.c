// Strings from tokens keep their spelling.
#include "../check.h"

#define S(x) #x
#define X(x) S(x)
#define HELLO world

int main(void) {
  INPUT(x, 0, 3)
  CHECK(sizeof S(a  +   b) == 6 && sizeof S("a\n") == 6 && sizeof S('\0') == 5);
  CHECK(S(HELLO)[0] == 'H' && X(HELLO)[0] == 'w' && sizeof S() == 1 && X(S(q))[0] == '"');
  TWIN(X(HELLO)[x] == "world"[x], S(HELLO)[x] != 'L');
  return 0;
}
