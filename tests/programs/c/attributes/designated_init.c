// A structure that wants designators, and non-strings.
#include "../check.h"

struct __attribute__((designated_init)) s { int a, b; };
char tag[3] __attribute__((nonstring)) = "abc";

int main(void) {
  INPUT(x, 0, 2)
  struct s s = {.b = x, .a = 1};
  CHECK(s.b == x);
  TWIN(tag[x] == 'a' + x, tag[x] != 'b');
  return 0;
}
