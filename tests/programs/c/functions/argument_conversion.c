// Arguments convert to the types of the parameters.
#include "../check.h"

int byte(unsigned char c) { return c; }
int truth(_Bool b) { return b; }
int whole(int i) { return i; }
double real(double d) { return d; }
char narrow(int i) { return i; }

int main(void) {
  INPUT(x, 0, 300)
  CHECK(byte(x) == x % 256 && truth(x) == (x != 0) && whole(2.9) == 2 && real(x) == x);
  TWIN(narrow(x) == (signed char)x, narrow(x) >= 0);
  return 0;
}
