// The alignment of what is declared with one: variables, functions, members; the operand is not evaluated.
#include "../check.h"

void aligned_function(void) __attribute__((aligned(256)));
void aligned_function(void) {}
__attribute__((aligned(64))) static int also(int x) { return x; }
typedef int wide __attribute__((aligned(32)));
_Alignas(16) static char buffer[3];
struct s { char c; _Alignas(8) char d; char e; };
static int calls;
static int count(void) { return ++calls; }

int main(void) {
  INPUT(x, 0, 4)
  wide w = x;
  struct s s = {1, 2, 3};
  CHECK(__alignof__(aligned_function) == 256 && __alignof__(also) == 64 && __alignof__(main) == 1);
  CHECK(__alignof__(w) == 32 && __alignof__(buffer) == 16 && __alignof__(s.d) == 8 && __alignof__ s.e == 1);
  CHECK(__alignof__(count()) == 4 && _Alignof(int[count()]) == 4 && __alignof__(*&buffer) == 16);
  TWIN(calls == 0 && also(x) == w, calls != 0 || also(x) != 3);
  return 0;
}
