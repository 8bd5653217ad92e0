// A call with a static chain.
#include "../check.h"

int plain(int a) { return a + 1; }

int main(void) {
  INPUT(x, 0, 4)
  int r = __builtin_call_with_static_chain(plain(x), (void *)0);
  TWIN(r == x + 1, r != 4);
  return 0;
}
