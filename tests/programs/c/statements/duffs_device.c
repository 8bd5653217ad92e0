// Cases stand inside of a loop.
#include "../check.h"

int main(void) {
  INPUT(n, 1, 9)
  int count = n, copied = 0, rounds = (count + 3) / 4;
  switch (count % 4) {
  case 0: do { copied++;
  case 3: copied++;
  case 2: copied++;
  case 1: copied++;
    } while (--rounds > 0);
  }
  TWIN(copied == n, copied < 9);
  return 0;
}
