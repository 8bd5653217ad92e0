// claim: solved
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
int g = 1;
int main(void) {
  int *p = 0;
  if (__VERIFIER_nondet_int()) p = &g;
  *p = 2;
  if (g != 2) reach_error();
  return 0;
}
