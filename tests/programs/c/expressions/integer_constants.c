// The type of a constant is the first that holds it.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 1)
  CHECK(sizeof 2147483647 == 4 && sizeof 2147483648 == 8 && sizeof 0x80000000 == 4);
  CHECK(0x80000000 > 0 && -1 < 0x7fffffff && !(-1 < 0xffffffff));
  CHECK(-2147483648 < 0 && 0xffffffffffffffff > 0 && sizeof 1LL == 8 && sizeof 1ull == 8);
  CHECK(sizeof 4294967295u == 4 && sizeof 4294967296u == 8 && 010 == 8);
  CHECK((sizeof 1L == 8) == (sizeof(void *) == 8));
  TWIN(x - 2147483648 < 0, x - 2147483649u > 2147483647u);
  return 0;
}
