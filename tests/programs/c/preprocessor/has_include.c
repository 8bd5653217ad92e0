// Questions to the preprocessor.
#include "../check.h"

#if __has_include(<stdio.h>) && !__has_include("no_such_file.h")
#define FOUND 1
#else
#define FOUND 0
#endif
#if defined __has_builtin && __has_builtin(__builtin_expect) && __has_attribute(packed)
#define KNOWN 2
#else
#define KNOWN 0
#endif

int main(void) {
  INPUT(x, 0, 4)
  TWIN(FOUND + KNOWN == 3 && x < 5, FOUND + x != 3);
  return 0;
}
