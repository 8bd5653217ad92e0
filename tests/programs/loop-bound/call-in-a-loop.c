// claim: solved
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
static int twice(int n) { int r = 0; while (n-- > 0) r += 2; return r; }
int main(void) {
  int i, sum = 0;
  for (i = 0; i < 4; i++) sum += twice(i);
  if (sum != 12) reach_error();
  return 0;
}
