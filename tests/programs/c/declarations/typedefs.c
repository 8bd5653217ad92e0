// Type names of pointers, arrays and functions.
#include "../check.h"

typedef int number, *pointer, row[3];
typedef row matrix[2];
typedef int operation(int);
operation twice;
int twice(int a) { return 2 * a; }
typedef operation *handler;

int main(void) {
  INPUT(x, 0, 2)
  matrix m = {{1, 2, 3}, {4, 5, 6}};
  const pointer p = m[1];
  *p = x;
  handler h = twice;
  CHECK(m[1][0] == x && sizeof(matrix) == 24 && h(x) == 2 * x);
  row *r = m;
  TWIN(r[1][0] + r[0][2] == x + 3, r[1][0] != 1);
  return 0;
}
