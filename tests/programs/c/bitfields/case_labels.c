// A label has the type of what is switched on: for a bit-field wider than int one of its own width, in gcc.
#include "../check.h"

struct S {
  unsigned long long wide : 35;
  long long negative : 40;
};

static int kind(struct S s) {
  switch (s.wide) {
  case -1: return 1;
  case 5: return 2;
  case 0x800000007: return 3;
  }
  return 0;
}

static int kind_of_negative(struct S s) {
  switch (s.negative) {
  case 0x10000000001: return 1;
  case 0xfffffffffe ... 0xffffffffff: return 2;
  }
  return 0;
}

int main(void) {
  INPUT(n, -2, 10)
  struct S s = {.wide = n, .negative = n};
  CHECK(kind(s) == (n == -1 ? 1 : n == 5 ? 2 : n == 7 ? 3 : 0));
  TWIN(kind_of_negative(s) == (n == 1 ? 1 : n == -1 || n == -2 ? 2 : 0), kind_of_negative(s) != 2 || n != -1);
}
