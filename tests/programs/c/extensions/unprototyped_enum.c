// An enumeration is declared before its values.
#include "../check.h"

enum later;
enum later *none;
enum later { A = 3, B };

int main(void) {
  INPUT(x, 0, 3)
  enum later v = x % 2 ? A : B;
  CHECK(none == 0 && sizeof v == 4);
  TWIN(v == 4 - x % 2, v != A);
  return 0;
}
