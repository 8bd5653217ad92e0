// break leaves the nearest loop or switch.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 5)
  int r = 0;
  for (int i = 0; i < 6; i++) {
    switch (i) {
    case 2: continue;
    case 4: if (x == 4) goto done;
    default: break;
    }
    while (1) { r++; break; }
  }
  done:
  TWIN(r == (x == 4 ? 3 : 5), r == 5);
  return 0;
}
