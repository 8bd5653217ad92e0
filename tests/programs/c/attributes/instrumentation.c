// Attributes about instrumentation.
#include "../check.h"

__attribute__((no_instrument_function, no_sanitize("undefined"), no_sanitize_address)) int a(int x) { return x + 1; }
__attribute__((no_profile_instrument_function, no_split_stack, no_stack_limit)) int b(int x) { return a(x) * 2; }
__attribute__((stack_protect, patchable_function_entry(2, 1))) int c(int x) { return b(x) - 1; }
__attribute__((no_stack_protector, no_sanitize_thread, no_sanitize_undefined)) int d(int x) { return c(x); }

int main(void) {
  INPUT(x, 0, 4)
  TWIN(d(x) == 2 * x + 1, d(x) != 7);
  return 0;
}
