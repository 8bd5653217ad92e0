// All read-modify-write builtins, before and after.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 9)
  int v = x;
  CHECK(__atomic_fetch_add(&v, 5, __ATOMIC_SEQ_CST) == x && __atomic_add_fetch(&v, 1, __ATOMIC_RELAXED) == x + 6);
  CHECK(__atomic_sub_fetch(&v, 6, __ATOMIC_ACQ_REL) == x && __atomic_fetch_or(&v, 16, __ATOMIC_RELEASE) == x);
  CHECK(__atomic_xor_fetch(&v, 16, __ATOMIC_ACQUIRE) == x && __atomic_and_fetch(&v, 15, 0) == x);
  CHECK(__atomic_fetch_nand(&v, 3, 5) == x);
  TWIN(v == ~(x & 3), v != ~2);
  return 0;
}
