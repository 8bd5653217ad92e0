// Counters, depths and times.
#include "../check.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define UNIQUE JOIN(name_, __COUNTER__)
int UNIQUE = 1, UNIQUE = 2;

int main(void) {
  INPUT(x, 0, 4)
  int c = __COUNTER__;
  CHECK(c == 2 && __INCLUDE_LEVEL__ <= 1 && sizeof __DATE__ == 12 && sizeof __TIME__ == 9);
  TWIN(name_0 + name_1 == 3 && x < 5, name_0 + x != 3);
  return 0;
}
