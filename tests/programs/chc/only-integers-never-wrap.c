extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
// Over the integers x stays positive; C's int wraps after many iterations.
int main(void) {
  int x = 1;
  while (__VERIFIER_nondet_int()) x++;
  if (x < 0) reach_error();
  return 0;
}
