// Variables stand at addresses that their declarations ask for.
#include "../check.h"

typedef __UINTPTR_TYPE__ address;
static char before;
static int global __attribute__((aligned(64)));
typedef int cache_line __attribute__((aligned(32)));

int main(void) {
  INPUT(n, 0, 3)
  char odd = n;
  int local __attribute__((aligned(256))) = n;
  static cache_line kept;
  _Alignas(128) char text[3] = {before, odd, 0};
  CHECK((address)&global % 64 == 0);
  CHECK((address)&local % 256 == 0);
  CHECK((address)&kept % 32 == 0);
  TWIN((address)text % 128 == 0, (address)text % 128 != 0);
}
