// Bytes in the other order.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 255)
  CHECK(__builtin_bswap16(x) == x * 256);
  CHECK(__builtin_bswap32(0x12345600 + x) >> 24 == x && __builtin_bswap32(1) == 0x1000000);
  CHECK(__builtin_bswap64(1) == 1ull << 56 && __builtin_bswap64(__builtin_bswap64(x)) == x);
  TWIN((__builtin_bswap32(x) & 0xffffff) == 0, __builtin_bswap16(x) != 0x500);
  return 0;
}
