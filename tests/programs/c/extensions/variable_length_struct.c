// A structure with a member of variable length.
#include "../check.h"

int main(void) {
  INPUT(n, 1, 4)
  struct { int length; char text[n]; } s;
  s.length = n;
  s.text[n - 1] = 'z';
  CHECK(sizeof s == (4 + n + 3) / 4 * 4);
  TWIN(s.text[s.length - 1] == 'z', sizeof s != 8);
  return 0;
}
