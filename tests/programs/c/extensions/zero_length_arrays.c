// Arrays of length zero.
#include "../check.h"

#include <stdlib.h>
struct line { int length; char contents[0]; };
struct nothing { int z[0]; };

int main(void) {
  INPUT(n, 1, 4)
  CHECK(sizeof(struct line) == 4 && sizeof(struct nothing) == 0);
  struct line *l = malloc(sizeof(struct line) + n);
  if (!l) return 0;
  l->length = n;
  for (int i = 0; i < n; i++) l->contents[i] = 'a' + i;
  CHECK((char *)l + 4 == l->contents);
  TWIN(l->contents[n - 1] == 'a' + n - 1, l->contents[n - 1] != 'c');
  return 0;
}
