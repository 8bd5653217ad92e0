// An unknown element is written: no element keeps its value.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[4] = {0, 0, 0, 0};
  unsigned i = __VERIFIER_nondet_int();
  if (i < 4) {
    a[i] = 1;
    if (a[2]) reach_error();
  }
  return 0;
}
