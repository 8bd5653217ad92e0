// String functions by their builtin names.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  const char *s = "hello";
  char b[12];
  CHECK(__builtin_strchr(s, 'l') == s + 2 && __builtin_strrchr(s, 'l') == s + 3 && __builtin_strstr(s, "ll") == s + 2);
  CHECK(__builtin_strspn(s, "eh") == 2 && __builtin_strcspn(s, "lo") == 2 && __builtin_strpbrk(s, "ol") == s + 2);
  CHECK(__builtin_stpcpy(b, s) == b + 5 && __builtin_strncmp(b, "help", 3) == 0);
  CHECK((char *)__builtin_mempcpy(b + 5, "!", 2) == b + 7 && __builtin_strlen(b) == 6);
  CHECK(__builtin_memchr(b, 'o', 12) == b + 4 && __builtin_index(s, 'e') == s + 1 && __builtin_rindex(s, 'z') == 0);
  __builtin_strncpy(b, s, x);
  __builtin_strncat(b, "", 1);
  TWIN(b[5] == '!', b[x] != 'l');
  return 0;
}
