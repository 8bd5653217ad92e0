extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#include <stdarg.h>
static int sum(int n, ...) {
  va_list list;
  va_start(list, n);
  int total = 0;
  while (n-- > 0) {
    total += va_arg(list, int);
  }
  va_end(list);
  return total;
}
int main(void) {
  if (sum(3, 1, 2, 3) == 6) {
    reach_error();
  }
  return 0;
}
