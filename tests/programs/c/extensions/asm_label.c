// A name in assembly for a function and a variable.
#include "../check.h"

int renamed(int) __asm__("other_name");
int renamed(int a) { return a + 1; }
extern int variable __asm__("other_variable");
int variable = 4;

int main(void) {
  INPUT(x, 0, 9)
  TWIN(renamed(x) + variable == x + 5, renamed(x) + variable != 8);
  return 0;
}
