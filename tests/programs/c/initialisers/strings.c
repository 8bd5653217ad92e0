// Strings initialise arrays with braces, exactly, and padded.
#include "../check.h"

struct s { char name[4]; int n; };
struct s g[] = {{"abcd", 1}, {"x", 2}, {{'y'}, 3}};

int main(void) {
  INPUT(x, 0, 3)
  char a[] = {"hello"}, b[10] = "hi";
  CHECK(sizeof a == 6 && b[2] == 0 && b[9] == 0 && g[0].name[3] == 'd' && g[1].name[1] == 0);
  char two[2][3] = {"ab", "cde"};
  CHECK(two[1][2] == 'e' && two[0][2] == 0);
  TWIN(g[0].name[x] == 'a' + x, g[0].name[x] != 'd');
  return 0;
}
