// Attributes in all places of a declaration.
#include "../check.h"

struct __attribute__((packed)) a { char c; int i; } __attribute__((aligned(1)));
int __attribute__((unused)) f(int x) { return x; }
static __attribute__((noinline)) int g(int x);
static int g(int x) { return x + 1; }
int *__attribute__((aligned(16))) p, q __attribute__((aligned(8))) = 3;
typedef struct { int x; } __attribute__((__packed__)) s_t;

int main(void) {
  INPUT(x, 0, 6)
  int (__attribute__((unused)) *fp)(int) = g;
  CHECK(sizeof(struct a) == 5 && sizeof(s_t) == 4 && q == 3 && p == 0);
  TWIN(fp(f(x)) == x + 1, fp(x) != 4);
  return 0;
}
