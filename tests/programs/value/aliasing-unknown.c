// Which of the two is written depends on an input: neither keeps its value.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int a = 1, b = 1;
int main(void) {
  int *p = __VERIFIER_nondet_int() ? &a : &b;
  *p = 2;
  if (b == 2) reach_error();
  return 0;
}
