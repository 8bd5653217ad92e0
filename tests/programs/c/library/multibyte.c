// Lengths of multibyte characters.
#include "../check.h"

#include <stdlib.h>

int main(void) {
  INPUT(x, 0, 4)
  wchar_t w = 0;
  CHECK(mbtowc(&w, "a", 1) == 1 && w == L'a');
  TWIN(mblen("abc", 3) == 1 && x < 5, mblen("abc", 3) + x != 3);
  return 0;
}
