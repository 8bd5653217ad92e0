// claim: solved
// Calls through pointers go where the pointer leads.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int one(void) { return 1; }
static int two(void) { return 2; }
static int (*table[2])(void) = {one, two};
int main(void) {
  int (*f)(void) = table[1];
  if (f() != 2) reach_error();
  f = one;
  if ((*f)() != 1) reach_error();
  return 0;
}
