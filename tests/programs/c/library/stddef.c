// Types and macros of stddef.
#include "../check.h"

#include <stddef.h>
struct s { char c; int a[3]; };

int main(void) {
  INPUT(x, 0, 2)
  CHECK(offsetof(struct s, a[2]) == 12 && sizeof(ptrdiff_t) == sizeof(void *) && NULL == 0 && sizeof(wchar_t) == 4);
  CHECK(_Alignof(max_align_t) == 16 && (size_t)-1 > 0);
  struct s s = {'a', {1, 2, 3}};
  TWIN(*(int *)((char *)&s + offsetof(struct s, a) + x * sizeof(int)) == x + 1, s.a[x] != 2);
  return 0;
}
