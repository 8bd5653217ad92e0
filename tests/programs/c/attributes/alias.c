// Another name of a function and of a variable.
#include "../check.h"

int real(int x) { return x + 1; }
int other(int) __attribute__((alias("real")));
int value = 4;
extern int second __attribute__((alias("value")));

int main(void) {
  INPUT(x, 0, 9)
  value = x;
  TWIN(other(x) == x + 1 && second == x, second != 5);
  return 0;
}
