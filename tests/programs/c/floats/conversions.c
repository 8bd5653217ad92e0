// Conversions between integers and floats.
#include "../check.h"

int main(void) {
  INPUT(x, -100, 100)
  float f = x;
  CHECK((int)f == x && (double)f == x);
  CHECK((int)(x + 0.75) == (x >= 0 ? x : x + 1) && (unsigned)3.99f == 3);
  CHECK((float)16777217 == 16777216.0f && (double)9007199254740993LL == 9007199254740992.0);
  CHECK((long long)1e15 == 1000000000000000LL && (unsigned long long)1.8e19 == 18000000000000000000ull);
  unsigned char c = f >= 0 ? f : 0;
  TWIN(c <= 100, c != 80);
  return 0;
}
