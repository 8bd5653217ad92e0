// A program may have its own function of the library's name.
#include "../check.h"

int strcspn_like(const char *s) { return s[0]; }
int index(int a, int b) { return a * 10 + b; }

int main(void) {
  INPUT(x, 0, 3)
  CHECK(strcspn_like("b") == 'b');
  TWIN(index(x, 1) == 10 * x + 1, index(x, 1) != 21);
  return 0;
}
