// The operand of sizeof is not evaluated.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 9)
  int a[7];
  CHECK(sizeof(x++) == sizeof(int));
  CHECK(sizeof a / sizeof a[0] == 7 && sizeof &a[0] == sizeof(void *));
  CHECK(sizeof(char[3][5]) == 15 && sizeof "abc" == 4 && sizeof 'a' == 4);
  CHECK(sizeof(long) == sizeof(void *));
  CHECK(sizeof(long double) == (sizeof(long) == 8 ? 16 : 12));
  TWIN(x <= 9, x + sizeof a <= 36);
  return 0;
}
