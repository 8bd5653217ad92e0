extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int fail(void) {
  reach_error();
  return 1;
}
int main(void) {
  int values[3] = {1, fail(), 3};
  return values[0];
}
