// extern in a block means the object of the file.
#include "../check.h"

int shared = 4;
static int hidden = 5;
int read(void) { extern int shared; return shared; }
int read_hidden(void) { extern int hidden; return hidden; }

int main(void) {
  INPUT(x, 0, 5)
  extern int shared;
  shared = x;
  int hidden = 1;
  CHECK(read() == x && hidden == 1);
  TWIN(read_hidden() + read() == 5 + x, read_hidden() + read() != 8);
  return 0;
}
