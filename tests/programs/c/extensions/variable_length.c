// Arrays whose length is known at run time.
#include "../check.h"

int sum(int n, int a[n]) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }

int main(void) {
  INPUT(n, 1, 4)
  int a[n + 1];
  for (int i = 0; i <= n; i++) a[i] = i;
  CHECK(sizeof a == (n + 1) * sizeof(int));
  CHECK(sum(n + 1, a) == n * (n + 1) / 2);
  int length = n;
  char b[length++];
  CHECK(length == n + 1 && sizeof b == n);
  TWIN(a[n] == n, a[n] != 3);
  return 0;
}
