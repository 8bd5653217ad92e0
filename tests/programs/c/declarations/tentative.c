// Tentative definitions are one object, and start at zero.
#include "../check.h"

int a;
int a;
int a = 3;
static int b;
static int b;
extern int c;
int c;
int array[];
int array[4];

int main(void) {
  INPUT(x, 0, 3)
  CHECK(a == 3 && b == 0 && c == 0 && array[x] == 0);
  a += x; b = x;
  array[x] = 9;
  TWIN(a - b == 3 && sizeof array == 16, array[2] == 0);
  return 0;
}
