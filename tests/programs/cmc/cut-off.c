// claim: solved
// The first verifier cuts loops off, which is no proof: nothing may be left out for it.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int n = 0;
  while (n < 20) {
    n++;
    if (n == 15) {
      if (__VERIFIER_nondet_int() == 3) {
        reach_error();
      }
    }
  }
  return 0;
}
