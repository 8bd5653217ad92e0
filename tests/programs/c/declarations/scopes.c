// Inner declarations hide outer ones, of other kinds too.
#include "../check.h"

int v = 1;
typedef int T;
struct tag { char c[3]; };

int main(void) {
  INPUT(x, 0, 9)
  int v = x;
  { extern int v; CHECK(v == 1); v = 2; { int v = v = 4; CHECK(v == 4); } }
  { int T = 3; CHECK(T * 2 == 6); }
  T t = 5;
  { struct tag { char c[9]; }; CHECK(sizeof(struct tag) == 9); }
  CHECK(sizeof(struct tag) == 3);
  enum { tag = 8 };
  CHECK(tag == 8 && t == 5);
  TWIN(v == x, v < 9);
  return 0;
}
