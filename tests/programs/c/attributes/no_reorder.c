// Top-level order, and objects that stay.
#include "../check.h"

__attribute__((no_reorder)) static int a = 1;
__attribute__((no_reorder)) static int f(int x) { return x + a; }
__attribute__((retain, used)) static int kept = 2;
__attribute__((noinit)) static int later;

int main(void) {
  INPUT(x, 0, 6)
  later = x;
  TWIN(f(later) + kept == x + 3, f(later) != 4);
  return 0;
}
