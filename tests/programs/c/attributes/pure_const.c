// Functions without effects.
#include "../check.h"

__attribute__((pure)) int length(const char *s) { int n = 0; while (s[n]) n++; return n; }
__attribute__((const)) int square(int x) { return x * x; }

int main(void) {
  INPUT(x, 0, 3)
  char s[4] = "abc";
  s[x] = 0;
  TWIN(length(s) == x && square(x) == x * x, square(x) + length(s) != 6);
  return 0;
}
