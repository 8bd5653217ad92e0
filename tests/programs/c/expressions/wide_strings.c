// Wide and Unicode strings and characters.
#include "../check.h"

#include <stddef.h>
#include <uchar.h>

int main(void) {
  INPUT(x, 0, 2)
  wchar_t w[] = L"aé";
  char16_t s[] = u"é€";
  char32_t t[] = U"😀b";
  CHECK(sizeof w == 3 * sizeof(wchar_t) && w[1] == 0xe9);
  CHECK(s[0] == 0xe9 && s[1] == 0x20ac && sizeof s == 6);
  CHECK(t[0] == 0x1f600 && t[1] == 'b');
  CHECK(sizeof u8"€" == 4 && (unsigned char)u8"€"[0] == 0xe2);
  CHECK(L'é' == 0xe9 && u'€' == 0x20ac && U'😀' == 0x1f600);
  CHECK(sizeof u"😀" == 6 && u"😀"[0] == 0xd83d);
  CHECK(L"x" "y"[1] == 'y' && "\u00e9"[0] == (char)0xc3);
  TWIN(w[x] != 'b', w[x] != 0xe9);
  return 0;
}
