// Functions declared in blocks.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 5)
  int later(int), another(void);
  CHECK(another() == 8);
  TWIN(later(x) == x + 7, later(x) != 10);
  return 0;
}

int later(int x) { return x + 7; }
int another(void) { return 8; }
