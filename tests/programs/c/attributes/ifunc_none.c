// The attribute of a resolver is not ignored.
#include "../check.h"

static int one(int x) { return x + 1; }
static int (*resolve(void))(int) { return one; }
int chosen(int) __attribute__((ifunc("resolve")));

int main(void) {
  INPUT(x, 0, 4)
  TWIN(chosen(x) == x + 1, chosen(x) != 3);
  return 0;
}
