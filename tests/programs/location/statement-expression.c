extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = ({
    int y = __VERIFIER_nondet_int();
    if (y == 42) {
      reach_error();
    }
    y;
  });
  return x;
}
