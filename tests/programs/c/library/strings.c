// Lengths, copies and comparisons.
#include "../check.h"

#include <string.h>

int main(void) {
  INPUT(x, 0, 3)
  char a[8] = "abc", b[8];
  strcpy(b, a);
  b[x] = 0;
  CHECK(strlen(b) == x && (strcmp(a, b) > 0) == (x < 3) && strncmp(a, b, x) == 0);
  strcat(b, "d");
  TWIN(strlen(b) == x + 1, strlen(b) != 3);
  return 0;
}
