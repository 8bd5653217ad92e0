// Declarators of arrays of pointers to functions and back.
#include "../check.h"

int zero(void) { return 0; }
int one(void) { return 1; }
int (*(*pick(void))[2])(void) { static int (*table[2])(void) = {zero, one}; return &table; }
int (*global[2])(void) = {one, zero};

int main(void) {
  INPUT(x, 0, 1)
  int *a[2], (*b)[2];
  int values[2] = {4, 5};
  a[x] = &values[x]; b = &values;
  CHECK(*a[x] == 4 + x && (*b)[x] == *a[x]);
  CHECK((*pick())[x]() == x && global[x]() == 1 - x);
  int (*(*g)[2])(void) = &global;
  TWIN((*(*g)[x])() == !x, (*(*g)[x])() == 1);
  return 0;
}
