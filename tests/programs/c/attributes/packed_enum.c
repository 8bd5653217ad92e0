// A packed enumeration has the smallest type.
#include "../check.h"

enum __attribute__((packed)) small { A, B = 200 };
enum __attribute__((packed)) sign { M = -1, P = 100 };
enum __attribute__((packed)) two { T = 300 };
struct s { enum small a, b; };

int main(void) {
  INPUT(x, 0, 255)
  enum small e = x;
  enum sign s = M;
  CHECK(sizeof(enum small) == 1 && sizeof(enum two) == 2 && sizeof(struct s) == 2 && s < 0);
  CHECK(e == x && B > A && sizeof(enum sign) == 1);
  TWIN((enum small)(e + 1) == (x + 1) % 256, (enum small)(e + 1) != 0);
  return 0;
}
