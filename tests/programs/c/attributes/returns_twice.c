// Functions that may return twice, and leaf functions.
#include "../check.h"

__attribute__((leaf, nothrow)) int leaf(int x) { return x; }
__attribute__((no_instrument_function, no_sanitize("address"), no_stack_protector)) int plain(int x) { return x * 2; }

int main(void) {
  INPUT(x, 0, 6)
  TWIN(leaf(x) + plain(x) == 3 * x, plain(x) != 6);
  return 0;
}
