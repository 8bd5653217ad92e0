// Static locals are initialised once.
#include "../check.h"

int next(void) { static int t[3] = {1, 2}, i; return t[i++ % 3]++; }

int main(void) {
  INPUT(x, 0, 5)
  int r = 0;
  for (int i = 0; i <= x; i++) r = next();
  TWIN((r == (int[]){1, 2, 0, 2, 3, 1}[x]), r != 3);
  return 0;
}
