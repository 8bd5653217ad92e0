// Registers are cleared on return.
#include "../check.h"

__attribute__((zero_call_used_regs("used"))) int a(int x) { return x + 1; }
__attribute__((no_caller_saved_registers, target("general-regs-only"))) int b(int x) { return x + 2; }
__attribute__((nocf_check)) int c(int x) { return a(x) + b(x); }

int main(void) {
  INPUT(x, 0, 4)
  TWIN(c(x) == 2 * x + 3, c(x) != 7);
  return 0;
}
