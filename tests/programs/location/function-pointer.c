extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  void (*handler)(void) = reach_error;
  handler();
  return 0;
}
