extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  for (int i = 0; i < 2; i++, reach_error()) {
  }
  return 0;
}
