// Destructors run after main.
#include "../check.h"

int value;
__attribute__((destructor)) static void check(void) { TWIN(value <= 5, value < 5); }

int main(void) {
  INPUT(x, 0, 5)
  value = x;
  return 0;
}
