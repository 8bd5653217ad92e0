// Each statement with a condition is a block, and so is each statement inside of it, also without braces: what a type name declares
// there is not known outside (C11 6.8.4p3, 6.8.5p5).
#include "../check.h"

enum { X = 1 };
struct S {
  char c;
};
/* By n, as gcc computes them. */
static const int sums[6] = {62, 22, 22, 41, 41, 41};

int main(void) {
  INPUT(n, 0, 5)
  int sum = 0;
  if (sizeof(enum { X = 10 }) == 4u + n) sum += X;
  while (sizeof(enum { X = 20 }) == 5u + n + sum) sum++;
  switch (sizeof(enum { X = 30 }) + n) {
  case 4: sum += X;
  }
  if (n > 2)
    sum += sizeof(struct S { int a[5]; });
  else
    sum += sizeof(struct S);
  int k = 0;
  do
    sum += sizeof(enum { X = 5 }) + X;
  while (++k < X);
  for (int i = 0; i < 2; i += X) sum += sizeof(enum { X = 2 });
  switch (n) default: sum += sizeof(enum { X = 40 });
  CHECK(X == 1);
  CHECK(sizeof(struct S) == 1);
  TWIN(sum == sums[n], n != 3 || sum != sums[3]);
}
