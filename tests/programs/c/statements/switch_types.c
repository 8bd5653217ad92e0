// The cases convert to the promoted type of the controlling expression.
#include "../check.h"

int main(void) {
  INPUT(x, -2, 260)
  int r = 0;
  switch ((unsigned char)x) { case 255: r = 1; break; case 4: r = 2; }
  CHECK(r == (x == -1 || x == 255 ? 1 : x == 4 || x == 260 ? 2 : 0));
  switch ((unsigned)x) { case -1: r = 7; }
  CHECK((r == 7) == (x == -1));
  switch (x * 4294967296LL) { case 4294967296LL: r = 8; break; case 0: r = 9; }
  TWIN((r == 8) == (x == 1), r != 9);
  return 0;
}
