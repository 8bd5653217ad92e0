// A parameter's type may be that of an earlier one.
#include "../check.h"

int high(long long a, __typeof__(a) b) { return b >> 32; }
int elements(long n, int a[n][n]);
int elements(long n, int a[n][n]) { return sizeof a[0] / sizeof a[0][0]; }

int main(void) {
  INPUT(n, 1, 3)
  int square[9] = {0};
  CHECK(elements(n, (void *)square) == n);
  TWIN(high(1, (long long)n << 32) == n, high(1, (long long)n << 32) != 2);
}
