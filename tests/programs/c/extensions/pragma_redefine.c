// A function's name for the linker changes, not its meaning.
#include "../check.h"

#pragma redefine_extname written linked
int written(int x);
int linked(int x) { return x + 7; }

int main(void) {
  INPUT(x, 0, 4)
  TWIN(written(x) == x + 7, written(x) != 9);
  return 0;
}
