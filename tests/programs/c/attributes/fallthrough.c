// Statement attributes.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  int r = 0;
  switch (x) {
  case 1: r = 1; __attribute__((fallthrough));
  case 2: r += 2; break;
  default: r = 9;
  }
  hot: __attribute__((hot, unused));
  TWIN(r == (x == 1 ? 3 : x == 2 ? 2 : 9), r != 3);
  return 0;
}
