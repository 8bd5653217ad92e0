// A choice by type calls functions.
#include "../check.h"

int of_int(int x) { return x; }
int of_long(long long x) { return (int)x + 1; }
int of_text(const char *s) { return s[0]; }
#define of(x) _Generic((x), int: of_int, long long: of_long, char *: of_text, const char *: of_text, default: 0)(x)

int main(void) {
  INPUT(x, 0, 4)
  CHECK(of(x) == x && of("a") == 'a' && of((short)2 + 0) == 2);
  CHECK(_Generic((char)1, int: 1, char: 2, signed char: 3) == 2 && _Generic("", char *: 1, default: 2) == 1);
  TWIN(of((long long)x) == x + 1, of((long long)x) != 4);
  return 0;
}
