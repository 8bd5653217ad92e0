// Fields of long and fields beside pointers.
#include "../check.h"

struct b { char *p; unsigned long f : 20; unsigned long g : 12; int tail; };

int main(void) {
  INPUT(x, 0, 9)
  struct b b = {"q", x, 4095, 7};
  CHECK(sizeof b == (sizeof(long) == 8 ? 16 : 12));
  CHECK(b.p[0] == 'q' && b.g == 4095 && b.tail == 7);
  TWIN(b.f == x, b.f != 7);
  return 0;
}
