extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = 3;
  switch (__VERIFIER_nondet_int() & 1) {
  case 0:
    do {
      n--;
  case 1:
      if (n == 2) {
        reach_error();
      }
    } while (n > 0);
  }
  return 0;
}
