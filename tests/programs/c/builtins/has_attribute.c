// Questions to the preprocessor.
#include "../check.h"

#if __has_attribute(packed) && __has_builtin(__builtin_clz) && !__has_attribute(no_such_thing)
#define ANSWER 1
#else
#define ANSWER 0
#endif
#if __has_include(<stddef.h>)
#define INCLUDE 2
#endif

int main(void) {
  INPUT(x, 0, 3)
  TWIN(ANSWER + INCLUDE == 3, ANSWER + x != 3);
  return 0;
}
