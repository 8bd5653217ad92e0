// The same bits as a vector of other elements.
#include "../check.h"

typedef unsigned char b8 __attribute__((vector_size(8)));
typedef unsigned short s4 __attribute__((vector_size(8)));

int main(void) {
  INPUT(x, 0, 9)
  b8 b = {1, 2, 3, 4, x, 6, 7, 8};
  s4 s = (s4)b;
  CHECK(s[0] == 0x0201 && s[3] == 0x0807);
  long long l = (long long)b;
  CHECK((l & 0xff) == 1);
  TWIN(s[2] == 0x600 + x, s[2] != 0x604);
  return 0;
}
