// A byte as a lock.
#include "../check.h"

int main(void) {
  INPUT(x, 0, 1)
  _Bool lock = x;
  CHECK(__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE) == x && lock);
  __atomic_clear(&lock, __ATOMIC_RELEASE);
  CHECK(!lock && __atomic_is_lock_free(1, 0));
  int old = x;
  CHECK(__sync_lock_test_and_set(&old, 1) == x && old == 1);
  __sync_lock_release(&old);
  TWIN(old == 0, old + x != 1);
  return 0;
}
