// A function may be declared by the name of its type, and under the assembler name of another.
#include "../check.h"

typedef int function(int);
int negated(int x) { return -x; }
int other(int x) { return x + 1; }
function by_typedef __asm__("negated");
__typeof__(int(int)) by_typeof __asm__("negated");
__typeof__(other) same __asm__("negated");

int main(void) {
  INPUT(n, 0, 3)
  CHECK(by_typedef(n) == -n && by_typeof(n) == -n && negated(n) == -n && other(n) == n + 1);
  TWIN(same(n) == -n, same(n) == n + 1 || n == 2);
}
