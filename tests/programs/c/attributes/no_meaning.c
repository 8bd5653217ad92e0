// An attribute of another compiler in brackets.
#include "../check.h"

#define MAYBE __has_attribute(cleanup)
[[gnu::unused]] static int a = 1;
[[deprecated]] int old(int x) { return x + a; }
[[nodiscard, gnu::noinline]] int keep(int x) { return x; }

int main(void) {
  INPUT(x, 0, 4)
  [[maybe_unused]] int y = MAYBE;
  switch (x) { case 1: y++; [[fallthrough]]; default: ; }
  TWIN(old(x) + keep(x) == 2 * x + 1 && y == 1 + (x == 1), y == 1);
  return 0;
}
