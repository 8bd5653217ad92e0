// The first verifier may prove nothing behind the write, which changes what the branch reads.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int a[4];
int flag;
int main(void) {
  int *p = __VERIFIER_nondet_int() ? &flag : &a[0];
  int n = 0;
  *p = 1;
  if (flag == 1) {
    reach_error();
  }
  while (n < 40) {
    n++;
  }
  return 0;
}
