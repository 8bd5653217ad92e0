// A parameter has the name of a type.
#include "../check.h"

typedef int T;
int f(int T) { return T * 2; }
int g(T T) { return T + 1; }

int main(void) {
  INPUT(x, 0, 5)
  T t = x;
  CHECK(sizeof t == sizeof(int));
  TWIN(f(t) + g(t) == 3 * x + 1, f(t) != 8);
  return 0;
}
