// A handler that runs.
#include "../check.h"

#include <signal.h>
volatile sig_atomic_t seen;
void handler(int s) { seen = s; }

int main(void) {
  INPUT(x, 0, 3)
  signal(SIGUSR1, handler);
  if (x) raise(SIGUSR1);
  TWIN((seen == SIGUSR1) == (x != 0), seen == 0);
  return 0;
}
