// Constants, their addresses and their values.
#include "../check.h"

static const int table[4] = {2, 3, 5, 7};
const char *const names[2] = {"a", "b"};

int main(void) {
  INPUT(x, 0, 3)
  const int local = table[x];
  CHECK(local == (int[]){2, 3, 5, 7}[x] && *names[1] == 'b');
  TWIN(local != 4, local != 5);
  return 0;
}
