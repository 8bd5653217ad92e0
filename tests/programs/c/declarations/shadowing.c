// Inner names hide outer ones, also in their own initialisers.
#include "../check.h"

int v = 10;
int f(int v) { { int v = 3; v++; } { extern int v; return v; } }

int main(void) {
  INPUT(x, 0, 4)
  int v = x;
  for (int v = 0; v < 2; v++) { int v = 7; v++; }
  { enum { v = 9 }; CHECK(v == 9); }
  CHECK(f(4) == 10);
  struct v { char c[sizeof v]; };
  TWIN(v == x && sizeof(struct v) == 4, v != 3);
  return 0;
}
