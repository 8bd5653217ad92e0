// claim: solved
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int check(void) {
  reach_error();
  return 1;
}
int main(void) { return sizeof(check()) == 4; }
