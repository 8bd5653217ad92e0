// Wide strings.
#include "../check.h"

#include <wchar.h>
#include <wctype.h>

int main(void) {
  INPUT(x, 0, 3)
  wchar_t b[8];
  wcscpy(b, L"abc");
  CHECK(wcslen(b) == 3 && wcscmp(b, L"abd") < 0 && iswdigit(L'7') && towupper(L'a') == L'A');
  wmemset(b, L'z', 2);
  CHECK(wcschr(b, L'c') == b + 2);
  b[x] = 0;
  TWIN(wcslen(b) == x, wcslen(b) != 2);
  return 0;
}
