// claim: solved
// A variable of a function that returned is gone; statics stay.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int count(void) { static int n; int local; local = n; n = n + 1; return local; }
int main(void) {
  if (count() != 0 || count() != 1 || count() != 2) reach_error();
  return 0;
}
