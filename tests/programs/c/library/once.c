// A function that runs what it gets.
#include "../check.h"

#include <pthread.h>
pthread_once_t control = PTHREAD_ONCE_INIT;
int runs;
void init(void) { runs++; }

int main(void) {
  INPUT(x, 0, 3)
  pthread_once(&control, init);
  pthread_once(&control, init);
  TWIN(runs == 1, runs + x != 3);
  return 0;
}
