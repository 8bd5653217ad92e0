extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  void *to = &&fail;
  goto *to;
  return 0;
fail:
  reach_error();
  return 1;
}
