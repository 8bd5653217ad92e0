// Qualifiers behind pointers and lengths of arrays count.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  CHECK(!__builtin_types_compatible_p(int *, const int *) && __builtin_types_compatible_p(int *const, int *));
  CHECK(!__builtin_types_compatible_p(int[3], int[4]) && !__builtin_types_compatible_p(int[3], int *));
  CHECK(!__builtin_types_compatible_p(int (*)(int), int (*)(long)) && __builtin_types_compatible_p(int (*)(), int (*)(int)));
  TWIN(!__builtin_types_compatible_p(char **, const char **), x != 3 || __builtin_types_compatible_p(char **, const char **));
  return 0;
}
