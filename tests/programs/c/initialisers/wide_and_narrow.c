// Values are converted to the type of what they initialise.
#include "../check.h"

char c = 300;
unsigned u = -1;
_Bool b = 0.5;
float f = 16777217;
short s[2] = {70000, 1.9};
struct { int i : 3; unsigned j : 3; _Bool k : 1; } bits = {7, 15, 4};

int main(void) {
  INPUT(x, 0, 4)
  CHECK(c == 44 && u == 4294967295u && b == 1 && f == 16777216 && s[0] == 4464 && s[1] == 1);
  CHECK(bits.i == -1 && bits.j == 7 && bits.k == 1);
  signed char n = 126 + x;
  TWIN(n == (x < 2 ? 126 + x : x - 130), n != -128);
  return 0;
}
