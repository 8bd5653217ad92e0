// Packed bit-fields follow one another.
#include "../check.h"

struct __attribute__((packed)) p { unsigned a : 5; unsigned b : 13; unsigned c : 14; char d; };
struct __attribute__((packed)) q { char a; unsigned long long b : 33; };

int main(void) {
  INPUT(x, 0, 500)
  struct p p = {31, x, 1, 2};
  struct q q = {1, 0x1ffffffffull};
  CHECK(sizeof(struct p) == 5 && sizeof(struct q) == 6);
  CHECK(p.a == 31 && p.b == x && p.c == 1 && p.d == 2 && q.b == 0x1ffffffffull);
  TWIN(*(unsigned char *)&p == (31 | (x & 7) << 5), p.b != 300);
  return 0;
}
