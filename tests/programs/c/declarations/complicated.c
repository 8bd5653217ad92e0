// Pointers to functions that return pointers to arrays.
#include "../check.h"

int table[2][3] = {{1, 2, 3}, {4, 5, 6}};
int (*row(int i))[3] { return &table[i]; }
int (*(*choose(void))(int))[3] { return row; }
char *(*names[2])(void);
char *one(void) { return "one"; }

int main(void) {
  INPUT(x, 0, 1)
  names[1] = one;
  CHECK((*choose()(x))[1] == 2 + 3 * x && names[1]()[2] == 'e');
  int (*(*const *p)(int))[3] = (int (*(*const[1])(int))[3]){row};
  TWIN((**p)(x)[0][2] == 3 + 3 * x, (*(*p)(x))[2] != 6);
  return 0;
}
