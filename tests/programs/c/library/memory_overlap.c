// Overlapping moves, and copies up to a character.
#include "../check.h"

#define _GNU_SOURCE
#include <string.h>

int main(void) {
  INPUT(x, 0, 4)
  char b[10] = "012345678";
  memmove(b + 2, b, 5);
  CHECK(memcmp(b, "0101234", 7) == 0);
  char *e = memccpy(b, "ab,cd", ',', 9);
  CHECK(e == b + 3 && b[3] == '1');
  CHECK(memrchr("abca", 'a', 4) != 0 && strnlen(b, 3) == 3 && strchrnul("abc", 'z')[0] == 0);
  TWIN(b[x] == "ab,12"[x], b[x] != '1');
  return 0;
}
