// Structures and members without padding.
#include "../check.h"

struct __attribute__((packed)) p { char a; int b; short c; };
struct q { char a; int b __attribute__((packed)); short c; };
struct r { char a; struct p p; } __attribute__((packed));

int main(void) {
  INPUT(x, 0, 1000)
  struct p p = {1, x, 2};
  CHECK(sizeof(struct p) == 7 && sizeof(struct q) == 8 && sizeof(struct r) == 8);
  CHECK(_Alignof(struct p) == 1 && __builtin_offsetof(struct q, b) == 1);
  struct p a[2] = {p, {3, 4, 5}};
  CHECK(a[1].b == 4 && (char *)&a[1].b - (char *)a == 8);
  TWIN(a[0].b == x, a[0].b != 500);
  return 0;
}
