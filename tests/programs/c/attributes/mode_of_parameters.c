// Machine modes and vectors behind the names of parameters.
#include "../check.h"

typedef int four __attribute__((vector_size(16)));
int wide(int k __attribute__((mode(DI)))) { return sizeof k; }
int narrow(int k __attribute__((unused, mode(QI)))) { return k; }
int declared(int k __attribute__((mode(HI))));
int declared(int k __attribute__((mode(HI)))) { return k; }
int parentheses(unsigned(k) __attribute__((mode(QI)))) { return k; }
int vector(int k __attribute__((vector_size(16)))) { return sizeof k + k[1]; }
int before(__attribute__((mode(QI))) int k) { return k; }

int main(void) {
  INPUT(x, 0, 3)
  four v = {1, 2};
  CHECK(wide(1) == 8 && declared(65536 + 5) == 5 && parentheses(511) == 255 && vector(v) == 18 && before(257) == 1);
  TWIN(narrow(256 + x) == x, narrow(256 + x) != 2);
  return 0;
}
