// claim: solved
extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
  int i = 0;
  while (i < 10) i++;
  if (i > 10) reach_error();
  while (__VERIFIER_nondet_int()) i++;
  return 0;
}
