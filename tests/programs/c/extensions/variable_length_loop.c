// A variable-length array in a loop is new in each round.
#include "../check.h"

int main(void) {
  INPUT(n, 1, 4)
  int total = 0;
  for (int i = 1; i <= n; i++) { char a[i]; a[i - 1] = i; total += sizeof a + a[i - 1]; }
  TWIN(total == n * (n + 1), total != 12);
  return 0;
}
