// Functions with parameters declared after the list, and promoted arguments.
#include "../check.h"

int add(a, b, c) char a; short b; int c; { return a + b + c; }
float half(f) float f; { return f / 2; }
int nothing() { return 7; }

int main(void) {
  INPUT(x, 0, 100)
  CHECK(add((char)x, (short)1, 2) == x + 3);
  CHECK(half(3.0f) == 1.5f && nothing() == 7);
  TWIN(add((char)1, (short)x, x) == 2 * x + 1, add((char)1, (short)x, x) != 21);
  return 0;
}
