// Integers of 64 bits in both data models.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 1000)
  long long a = x * 1000000007LL;
  unsigned long long b = 18446744073709551615ull - x;
  CHECK(a / 1000000007LL == x && a % 1000000007LL == 0);
  CHECK(b + x + 1 == 0 && (b >> 63) == 1 && -a <= 0);
  CHECK((int)(a >> 32) == a / 4294967296LL);
  long long m = -a;
  CHECK(m % 1000000007LL == 0 && (unsigned long long)m >= (unsigned long long)-a);
  TWIN((a ^ -1LL) == -a - 1, a != 3000000021LL);
  return 0;
}
