// claim: solved
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
int main(void) {
  int i = 0;
again:
  i += 3;
  if (i < 100) goto again;
  if (i < 100 || i > 102) reach_error();
  return 0;
}
