// Attributes of another declaration.
#include "../check.h"

typedef struct { char a; int b; } __attribute__((packed)) tight;
struct __attribute__((copy((tight *)0))) also { char a; int b; };
int one(int x) { return x; }
__attribute__((copy(one))) int two(int x) { return x * 2; }

int main(void) {
  INPUT(x, 0, 6)
  CHECK(sizeof(tight) == 5 && sizeof(struct also) == 5);
  TWIN(two(x) == 2 * x, two(x) != 8);
  return 0;
}
