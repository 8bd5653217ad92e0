// The address of an array, of its element, of a member, and back.
#include "../check.h"

struct s { char c; int a[3]; } s;

int main(void) {
  INPUT(x, 0, 2)
  CHECK((void *)&s.a == (void *)&s.a[0] && &*s.a == s.a && &s.a[x] == s.a + x);
  CHECK((char *)s.a - (char *)&s == 4 && (void *)&s == (void *)&s.c);
  int *p = &s.a[x], **pp = &p;
  **pp = 5;
  CHECK(*&s.a[x] == 5 && &(*p) == p);
  TWIN(s.a[0] + s.a[1] + s.a[2] == 5, s.a[1] == 0);
  return 0;
}
