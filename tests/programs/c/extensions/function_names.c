// The name of the function as a string.
#include "../check.h"

#include <string.h>
const char *name(void) { return __func__; }
const char *gnu(void) { return __FUNCTION__; }
const char *pretty(void) { return __PRETTY_FUNCTION__; }

int main(void) {
  INPUT(x, 0, 3)
  CHECK(strcmp(name(), "name") == 0 && strcmp(gnu(), "gnu") == 0 && strcmp(pretty(), "pretty") == 0);
  CHECK(sizeof __func__ == 5 && __func__[4] == 0);
  TWIN(__func__[x] == "main"[x], __func__[x] != 'n');
  return 0;
}
