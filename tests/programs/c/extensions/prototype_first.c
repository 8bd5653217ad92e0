// A prototype decides about a definition in the old style.
#include "../check.h"

int narrow(short);
int narrow(x) short x; { return x; }
int wide(a, b) char a; float b; { return a + (int)b; }

int main(void) {
  INPUT(x, 0, 9)
  CHECK(wide(300, 1.75) == 45);
  TWIN(narrow(65536 + x) == x, narrow(65536 + x) != 5);
  return 0;
}
