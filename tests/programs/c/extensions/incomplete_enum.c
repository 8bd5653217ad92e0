// An enumeration that is completed later.
#include "../check.h"

enum later;
enum later *pointer;
enum later { A, B = 3 };

int main(void) {
  INPUT(x, 0, 3)
  enum later e = x;
  pointer = &e;
  TWIN(*pointer == x, *pointer != B);
  return 0;
}
