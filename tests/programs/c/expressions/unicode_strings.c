// Strings and characters of 8, 16 and 32 bits.
#include "../check.h"

#include <uchar.h>

int main(void) {
  INPUT(x, 0, 2)
  const char a[] = u8"\u00e9";
  char16_t b[] = u"a\u20ac";
  char32_t c[] = U"\U0001F600x";
  CHECK(sizeof a == 3 && (unsigned char)a[0] == 0xc3 && b[1] == 0x20ac && sizeof b == 6 && c[0] == 0x1f600 && sizeof c == 12);
  CHECK(u'\u20ac' == 0x20ac && U'x' == 120 && L'\xff' == 255 && sizeof u'a' == 2 && sizeof(u"a" u"b") == 6);
  CHECK(u"\U0001F600"[0] == 0xd83d && u"\U0001F600"[1] == 0xde00);
  TWIN(b[x] == (x == 0 ? 'a' : x == 1 ? 0x20ac : 0), b[x] != 'a');
  return 0;
}
