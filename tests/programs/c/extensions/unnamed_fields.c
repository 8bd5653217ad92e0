// Unnamed members of a structure that has a tag.
#include "../check.h"

struct inner { int a; };
struct outer { struct { int b; union { int c; float f; }; }; struct inner in; };

int main(void) {
  INPUT(x, 0, 6)
  struct outer o = {{1, {x}}, {3}};
  CHECK(o.b == 1 && o.in.a == 3 && sizeof o == 12);
  o.b += o.c;
  TWIN(o.b == x + 1, o.b != 6);
  return 0;
}
