// A switch whose body declares, nests and is empty.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 3)
  int r = 0;
  switch (x) { int y; case 1: y = 5; r = y; break; case 2: y = 6; r = y + 1; }
  CHECK(r == (x == 1 ? 5 : x == 2 ? 7 : 0));
  switch (x) case 3: r = 9;
  switch (x) { case 0: switch (r) { case 0: r = 4; break; default: r = 100; } break; case 1: r++; }
  switch (r) {}
  TWIN((r == (int[]){4, 6, 7, 9}[x]), r != 6);
  return 0;
}
