// Elements that are not named are zero, and the initialiser gives the length.
#include "../check.h"

int a[] = {1, 2, 3};
int b[5] = {1};
int m[][2] = {{1}, {2, 3}, 4, 5};

int main(void) {
  INPUT(x, 0, 4)
  CHECK(sizeof a == 12 && sizeof m == 24 && m[0][1] == 0 && m[2][1] == 5);
  int local[5] = {[1] = x};
  CHECK(b[x] == (x == 0) && local[1] == x && local[4] == 0);
  char t[2][4] = {"ab", {'c', 'd'}};
  CHECK(t[0][2] == 0 && t[1][1] == 'd' && t[1][3] == 0);
  TWIN(local[x] == (x == 1), local[x] == 0);
  return 0;
}
