// claim: solved
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
int main(void) {
  int i = 0, n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000) return 0;
  while (i < n) i++;
  if (i < 0 || i > 1000) reach_error();
  return 0;
}
