// Models of thread-local storage.
#include "../check.h"

__thread int t __attribute__((tls_model("local-exec"))) = 4;

int main(void) {
  INPUT(x, 0, 6)
  t += x;
  TWIN(t == x + 4, t != 6);
  return 0;
}
