// Adjacent literals become one, which is wide if one of them is.
#include "../check.h"

int main(void) {
  INPUT(n, 0, 2)
  const __WCHAR_TYPE__ *text = "\u3042é" L"b";
  const unsigned short *pair = u"" "\U0001d11e";
  const char *narrow = "é" "\u00e9";
  CHECK(sizeof("é" L"") == 2 * sizeof(L'a') && sizeof("é" "") == 3);
  CHECK(pair[0] == 0xd834 && pair[1] == 0xdd1e && pair[2] == 0);
  CHECK((unsigned char)narrow[0] == 0xc3 && (unsigned char)narrow[3] == 0xa9);
  CHECK(("\343\201" L"")[n] == (n == 0 ? 0343 : n == 1 ? 0201 : 0));
  TWIN(text[n] == (n == 0 ? 0x3042 : n == 1 ? 0xe9 : 'b'), text[n] != 0xe9);
}
