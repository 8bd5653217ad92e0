// Threads.
#include "../check.h"

#include <pthread.h>
int shared;
void *work(void *p) { shared = *(int *)p; return 0; }

int main(void) {
  INPUT(x, 0, 3)
  pthread_t t;
  if (pthread_create(&t, 0, work, &x)) return 0;
  pthread_join(t, 0);
  TWIN(shared == x, shared != 2);
  return 0;
}
