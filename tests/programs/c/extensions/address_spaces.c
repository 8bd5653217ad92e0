// Pointers into a segment have a size, and the objects outside stay.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 9)
  int value = x;
  int *p = &value;
  CHECK(sizeof(int __seg_gs *) == sizeof(int *) && sizeof(__seg_fs char) == 1);
  TWIN(*p == x, *p != 4);
  return 0;
}
