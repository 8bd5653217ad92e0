extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  goto inside;
  if (0) {
  inside:
    reach_error();
  }
  return 0;
}
