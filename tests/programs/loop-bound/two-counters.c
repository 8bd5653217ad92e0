// claim: solved
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
  int i = 0, j = 0;
  while (i < 12) { i++; j += 2; }
  if (j != 24) reach_error();
  return 0;
}
