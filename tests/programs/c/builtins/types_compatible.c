// Whether two types are compatible.
#include "../check.h"

typedef int number;
enum e { A };

int main(void) {
  INPUT(x, 0, 3)
  CHECK(__builtin_types_compatible_p(int, number) && __builtin_types_compatible_p(int, const int));
  CHECK(!__builtin_types_compatible_p(int, unsigned) && !__builtin_types_compatible_p(long, int));
  CHECK(__builtin_types_compatible_p(int[], int[5]) && !__builtin_types_compatible_p(char, signed char));
  CHECK(__builtin_types_compatible_p(typeof(x), int) && !__builtin_types_compatible_p(int *, void *));
  TWIN(!__builtin_types_compatible_p(float, double), x != 1 || __builtin_types_compatible_p(float, double));
  return 0;
}
