// Arrays in structures in arrays.
#include "../check.h"

struct in { int k[2]; };
struct out { struct in in[2]; int n; } o[2];

int main(void) {
  INPUT(x, 0, 1)
  o[1].in[x].k[1 - x] = 5;
  o[0] = o[1];
  o[0].in[x].k[x] = 6;
  CHECK(o[1].in[x].k[x] == 0 && o[0].in[x].k[1 - x] == 5);
  TWIN(o[0].in[1].k[1] == (x ? 6 : 0), o[0].in[1].k[1] == 0);
  return 0;
}
