// claim: solved
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
  int i, j, n = 0;
  for (i = 0; i < 5; i++) for (j = 0; j < i; j++) n++;
  if (n != 10) reach_error();
  return 0;
}
