// Arithmetic on void pointers and functions counts bytes.
#include "../check.h"

int f(void) { return 1; }

int main(void) {
  INPUT(x, 0, 7)
  char a[8] = "abcdefg";
  void *p = a;
  p += x;
  CHECK(sizeof(void) == 1 && sizeof f == 1 && sizeof *p == 1);
  CHECK(p - (void *)a == x && *(char *)p++ == a[x]);
  TWIN(*(char *)--p == (x < 7 ? 'a' + x : 0), *(char *)(a + x) != 'e');
  return 0;
}
