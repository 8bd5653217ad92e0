// The newer atomic operations.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 9)
  unsigned char c = x;
  CHECK(__atomic_fetch_add(&c, 250, __ATOMIC_SEQ_CST) == x && c == (x + 250) % 256);
  CHECK(__atomic_sub_fetch(&c, 250, __ATOMIC_RELAXED) == x);
  CHECK(__atomic_or_fetch(&c, 128, __ATOMIC_ACQUIRE) == x + 128 && __atomic_fetch_and(&c, 127, __ATOMIC_RELEASE) == x + 128);
  CHECK(__atomic_fetch_xor(&c, 255, __ATOMIC_ACQ_REL) == x && c == 255 - x);
  CHECK(__atomic_nand_fetch(&c, 0, __ATOMIC_SEQ_CST) == 255);
  TWIN(__atomic_add_fetch(&c, x, __ATOMIC_SEQ_CST) == (255 + x) % 256, __atomic_add_fetch(&c, x, __ATOMIC_SEQ_CST) != 3);
  return 0;
}
