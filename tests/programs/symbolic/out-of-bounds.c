// claim: unknown memory may be accessed outside of an object on line 13
// What a write outside of an array does is not described; no proof may ignore it.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int guard = 0;
  int array[4];
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 4) {
    return 0;
  }
  array[i] = 1;
  if (guard && array != 0) {
    reach_error();
  }
  return 0;
}
