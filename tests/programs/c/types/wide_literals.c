// wchar_t is long for ILP32 and int for LP64.
#include "../check.h"

#define IS_WIDE(x) _Generic((x), __WCHAR_TYPE__: 1, default: 0)

int main(void) {
  INPUT(n, 0, 3)
  __WCHAR_TYPE__ text[] = L"ab";
  CHECK(IS_WIDE(L'a') && IS_WIDE(L"ab"[0]));
  CHECK(sizeof(L'a') == 4 && sizeof text == 12);
  TWIN(text[n % 2] == (n % 2 ? 'b' : 'a'), IS_WIDE(1) == (sizeof(long) == 4));
}
