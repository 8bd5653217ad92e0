// A variable-length array is aligned as its elements are.
#include "../check.h"

int main(void) {
  INPUT(n, 1, 4)
  char c[n + 1];
  int i[n];
  double d[n];
  short s[n][n];
  CHECK(_Alignof(c) == 1 && _Alignof(d) == 8 && __alignof__(s) == 2 && _Alignof(s[0]) == 2);
  TWIN(_Alignof(i) == 4, _Alignof(i) != 4);
}
