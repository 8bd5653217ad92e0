// More parameters than registers.
#include "../check.h"

long long many(int a, char b, long long c, double d, short e, float f, int g, int *h, int i, int j, double k, _Bool l) { return a + b + c + (int)d + e + (int)f + g + *h + i + j + (int)k + l; }

int main(void) {
  INPUT(x, 0, 4)
  CHECK(many(1, 2, 1LL << 40, 4.9, 5, 6.9f, 7, &x, 9, 10, 11.9, 12) == (1LL << 40) + 56 + x);
  TWIN(many(x, x, x, x, x, x, x, &x, x, x, x, x) == 11 * x + (x != 0), many(x, 0, 0, 0, 0, 0, 0, &x, 0, 0, 0, 0) != 6);
  return 0;
}
