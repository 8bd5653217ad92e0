extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int i = 0;
again:
  if (i == 4) {
    reach_error();
  }
  i++;
  if (i < 10) {
    goto again;
  }
  return 0;
}
