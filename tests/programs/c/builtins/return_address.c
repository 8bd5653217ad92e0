// The caller's address is the same for one call.
#include "../check.h"

__attribute__((noinline)) void *where(void) { return __builtin_extract_return_addr(__builtin_return_address(0)); }

int main(void) {
  INPUT(x, 0, 3)
  void *seen[4];
  for (int i = 0; i < 4; i++) seen[i] = where();
  TWIN(seen[x] == seen[0] && seen[x] != 0, seen[0] == seen[x] && x != 2);
  return 0;
}
