// Only the packed structure loses its padding.
#include "../check.h"

struct inner { char a; int b; };
struct outer { char c; struct inner i; short s; } __attribute__((packed));
struct half { char c; int i __attribute__((packed)); short s; };

int main(void) {
  INPUT(x, 0, 9)
  CHECK(sizeof(struct outer) == 11 && __builtin_offsetof(struct outer, i.b) == 5 && sizeof(struct half) == 8);
  struct outer o[2] = {{1, {2, x}, 3}, {4, {5, 6}, 7}};
  CHECK(o[1].s == 7);
  TWIN(o[0].i.b == x, o[0].i.b != 5);
  return 0;
}
