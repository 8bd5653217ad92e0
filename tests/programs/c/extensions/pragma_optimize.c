// Options for some functions.
#include "../check.h"

#pragma GCC push_options
#pragma GCC optimize("O1")
static int quick(int x) { return x * 2; }
#pragma GCC pop_options
#pragma GCC reset_options
#pragma GCC visibility push(hidden)
int hidden = 3;
#pragma GCC visibility pop

int main(void) {
  INPUT(x, 0, 4)
  TWIN(quick(x) + hidden == 2 * x + 3, quick(x) != 6);
  return 0;
}
