// The parameters of main.
#include "../check.h"

int twin(int argc) { TWIN(argc >= 0, argc < 0); return 0; }
int main(int argc, char *argv[]) {
  CHECK(argv[argc] == 0);
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 3) return 0;
  return twin(x);
}
