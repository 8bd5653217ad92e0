// gcc reads the numbers, the names and the comments of #pragma pack.
#include "../check.h"

#pragma pack(1) // comment
struct a { char c; int i; };
#pragma pack(/**/0x2/**/)
struct b { char c; int i; };
#pragma pack()
struct c { char c; int i; };
#pragma pack(push, outer, 8)
#pragma pack(push, 1)
#pragma pack(push, 2)
#pragma pack(pop, outer)
struct d { char c; int i; };

int main(void) {
  INPUT(n, 0, 3)
  struct a a = {n, n};
  CHECK(sizeof a == 5 && sizeof(struct b) == 6 && sizeof(struct c) == 8 && sizeof(struct d) == 8);
  TWIN(((char *)&a)[1] == n, ((char *)&a)[1] != 2);
}
