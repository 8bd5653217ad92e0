// Switches on wide and narrow types.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 4)
  int r = 0;
  switch ((long long)x << 33) { case 0: r = 1; break; case 1LL << 33: r = 2; break; case 0x400000000: r = 3; }
  unsigned char c = 254 + x;
  switch (c) { case 254: r += 10; break; case 256: r += 90; break; case 0: r += 20; }
  switch (x == 1) { case 1: r += 100; break; case 0: ; }
  TWIN(r == (x == 0 ? 11 : x == 1 ? 102 : x == 2 ? 23 : 0), r != 23);
  return 0;
}
