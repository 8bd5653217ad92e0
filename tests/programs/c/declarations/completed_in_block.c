// A declaration in a block gives the length of an array.
#include "../check.h"

extern int a[];
int size(void) { extern int a[5]; return sizeof a; }
int a[5] = {0, 0, 0, 0, 3};

int main(void) {
  INPUT(x, 0, 4)
  CHECK(size() == 20);
  TWIN(a[x] == (x == 4 ? 3 : 0), a[x] == 0);
  return 0;
}
