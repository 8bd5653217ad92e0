// Designators in arrays of arrays.
#include "../check.h"

int m[3][3] = {[1] = {[2] = 5, [0] = 4}, [0][1] = 3, 6, [2] = {7}};

int main(void) {
  INPUT(x, 0, 2)
  CHECK(m[1][2] == 5 && m[1][0] == 4 && m[0][1] == 3 && m[0][2] == 6 && m[2][0] == 7 && m[2][2] == 0);
  TWIN((m[x][0] == (int[]){0, 4, 7}[x]), m[x][0] != 4);
  return 0;
}
