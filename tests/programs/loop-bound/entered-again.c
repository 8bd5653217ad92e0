// claim: solved
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
  int n = 0, k = 0;
  while (n < 6) { int i = 0; while (i < 15) i++; n++; k = i; }
  if (k != 15) reach_error();
  return 0;
}
