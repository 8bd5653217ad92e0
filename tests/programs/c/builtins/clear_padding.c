// Padding becomes zero, members stay.
#include "../check.h"

struct s { char c; int i; };

int main(void) {
  INPUT(x, 0, 5)
  struct s s;
  __builtin_memset(&s, 0xff, sizeof s);
  s.c = 1; s.i = x;
  __builtin_clear_padding(&s);
  const unsigned char *b = (const unsigned char *)&s;
  CHECK(b[1] == 0 && b[2] == 0 && b[3] == 0 && s.c == 1);
  TWIN(s.i == x, s.i + b[1] != 4);
  return 0;
}
