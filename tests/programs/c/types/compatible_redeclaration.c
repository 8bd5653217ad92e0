// A composite type of several declarations.
#include "../check.h"

int f(int (*)[], int);
int f(int (*a)[3], int n);
extern int a[];
extern int a[5];
int f(int (*p)[3], int n) { return (*p)[n]; }
int a[] = {1, 2, 3, 4, 5};

int main(void) {
  INPUT(x, 0, 2)
  int b[3] = {7, 8, 9};
  CHECK(sizeof a == 20);
  TWIN(f(&b, x) == 7 + x, f(&b, x) != 8);
  return 0;
}
