// Conditions with effects and declarations.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  int n = 0, i = x;
  while (i-- > 0) n++;
  CHECK(i == -1 && n == x);
  do n += 2; while (n < 3 && n != 2);
  for (int a = 0, *p = &a; *p < 2; ++*p) if (a == 1) continue; else n += 10;
  for (;;) { if (n > 0) break; }
  TWIN(n == (x == 0 ? 2 : x + 2) + 10 + (x == 0 ? 0 : 0), n != 15);
  return 0;
}
