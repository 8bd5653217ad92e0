extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  switch (__VERIFIER_nondet_int()) {
  case 1:
  case 2:
    __VERIFIER_nondet_int();
  case 3:
    reach_error();
  default:
    break;
  }
  return 0;
}
