// Operators of atomic variables.
#include "../check.h"

_Atomic int counter;
_Atomic(unsigned char) byte = 250;

int main(void) {
  INPUT(x, 0, 9)
  counter = x;
  CHECK(counter++ == x && ++counter == x + 2 && (counter -= 2) == x);
  counter |= 16; counter ^= 16; counter *= 3; counter /= 3;
  byte += x;
  CHECK(byte == (250 + x) % 256);
  TWIN(counter == x, byte != 3);
  return 0;
}
