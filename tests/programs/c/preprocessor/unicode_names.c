// Names with characters beyond ASCII.
#include "../check.h"

int größe = 3;
int na\u00efve = 4;

int main(void) {
  INPUT(x, 0, 3)
  int é = x;
  TWIN(größe + na\u00efve + é == 7 + x, é != 2);
  return 0;
}
