// Searching in strings.
#include "../check.h"

#include <string.h>

int main(void) {
  INPUT(x, 0, 3)
  const char *s = "abcabc";
  CHECK(strchr(s, 'b') == s + 1 && strrchr(s, 'b') == s + 4 && strchr(s, 'z') == 0 && strstr(s, "ca") == s + 2);
  CHECK(strspn(s, "ab") == 2 && strcspn(s, "c") == 2 && memchr(s, 'c', 2) == 0);
  TWIN(strchr(s, 'a' + x) == (x == 3 ? 0 : s + x), strchr(s, 'a' + x) != 0);
  return 0;
}
