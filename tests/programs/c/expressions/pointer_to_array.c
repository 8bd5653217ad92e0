// Pointers to arrays move by whole arrays.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 2)
  int m[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
  int (*row)[4] = m + x;
  CHECK((*row)[0] == 4 * x + 1);
  CHECK(sizeof *row == 16 && sizeof *m == 16 && (char *)(&m + 1) - (char *)m == 48);
  CHECK(*(*(m + x) + 3) == 4 * x + 4);
  TWIN(row[0][1] == 4 * x + 2, row[0][1] != 10);
  return 0;
}
