// The size in a type name is evaluated once in a cast, and in sizeof only where the type itself has it.
#include "../check.h"

int main(void) {
  INPUT(x, 1, 4)
  int n = x;
  (void)(int(*)[n++]) 0;
  CHECK(n == x + 1);
  int *p = (int *)(int(*)[n++]) & n;
  CHECK(n == x + 2 && *p == n);
  CHECK(sizeof(int(*)[n++]) == sizeof(int *) && n == x + 2);
  CHECK(sizeof(int[n++]) == (x + 2) * sizeof(int));
  TWIN(n == x + 3, n != 6);
  return 0;
}
