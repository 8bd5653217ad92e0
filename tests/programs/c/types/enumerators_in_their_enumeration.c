// Before the end of its enumeration, an enumerator that does not fit into int has the type of its expression.
#include "../check.h"

enum { A = 0xFFFFFFFF, B = A > 0, C = A / 2 > 5 };
enum { L = 0x80000000, M = 0x7fffffff < L };
enum { W = 0x100000000LL, X = sizeof(W) };

int main(void) {
  INPUT(n, 0, 3)
  CHECK(B == 1 && C == 1 && M == 1);
  TWIN(X + n == 8 + n, X != 8 || n == 1);
}
