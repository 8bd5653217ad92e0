// Unsigned arithmetic wraps.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 100)
  unsigned u = x;
  CHECK(u - 101 > 4294967000u);
  CHECK(-u == (x == 0 ? 0 : 4294967296u - x));
  unsigned long long w = -1;
  CHECK(w + 1 == 0 && w * w == 1);
  CHECK((unsigned short)(65535 + u) == (x + 65535) % 65536);
  TWIN(u * 42949673u / 1 >= 0, u * 42949673u != 4);
  return 0;
}
