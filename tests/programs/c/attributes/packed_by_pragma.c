// Under #pragma pack, no member is aligned more than it says, whatever the member's attributes ask for.
#include "../check.h"

#pragma pack(push, 1)
struct a { int x : 12; char y __attribute__((aligned(16))); int z : 3; };
struct b { char c; __attribute__((aligned(16))) long long d : 40; };
#pragma pack(2)
struct c { char c; __attribute__((aligned(16))) int d; };
#pragma pack(pop)
struct __attribute__((packed)) d { char c; __attribute__((aligned(8))) int d; };

int main(void) {
  INPUT(n, 0, 3)
  struct a a = {n, n, n};
  CHECK(sizeof a == 4 && sizeof(struct b) == 6 && sizeof(struct c) == 6 && sizeof(struct d) == 16);
  TWIN(((char *)&a)[2] == n, ((char *)&a)[2] != 2);
}
