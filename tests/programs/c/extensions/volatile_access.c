// A volatile object is read and written each time.
#include "../check.h"

volatile int port;
int read(void) { return port; }

int main(void) {
  INPUT(x, 0, 5)
  port = x;
  port += port;
  volatile int *p = &port;
  (*p)++;
  TWIN(read() == 2 * x + 1, read() != 7);
  return 0;
}
