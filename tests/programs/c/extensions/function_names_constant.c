// The name of the function where a constant has to stand.
#include "../check.h"

int label(int n) {
  switch (n) {
  case sizeof(__func__): return 1;
  default: return 0;
  }
}
int length(void) { int a[sizeof __func__]; enum { E = sizeof __FUNCTION__ }; return sizeof a * 10 + E; }
int initialiser(void) { static const char *p = __func__; static int n = sizeof __PRETTY_FUNCTION__; return n * 1000 + p[1]; }
int choice(void) { return sizeof(__func__) == 7 ? 3 : 4; }
int outer(void) { int inner_one(void) { return sizeof(__func__) == 10 ? 5 : 6; } return inner_one() * 10 + (sizeof(__func__) == 6 ? 1 : 2); }
int asserted(void) { _Static_assert(sizeof(__func__) == 9, "asserted"); return __builtin_choose_expr(sizeof(__func__) == 9, 1, 2); }

int main(void) {
  INPUT(x, 5, 7)
  CHECK(length() == 287 && initialiser() == 12000 + 'n' && choice() == 3 && outer() == 51 && asserted() == 1);
  TWIN(label(x) == (x == 6), label(x) == 0);
  return 0;
}
