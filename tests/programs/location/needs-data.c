// claim: unknown no analysis could exclude
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = 1;
  if (x != 1) {
    reach_error();
  }
  return 0;
}
