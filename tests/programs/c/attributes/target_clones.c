// One function in several versions.
#include "../check.h"

__attribute__((target_clones("default", "avx2"))) int cloned(int x) { return x * 3; }

int main(void) {
  INPUT(x, 0, 4)
  TWIN(cloned(x) == 3 * x, cloned(x) != 9);
  return 0;
}
