// claim: solved
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
int a[10];
int main(void) {
  int i = __VERIFIER_nondet_int();
  if ((unsigned)i < 10u) { a[i] = 1; if (i < 0 || i > 9) reach_error(); }
  short s = (short)i;
  if ((unsigned short)s > 40000) { if (s >= 0) reach_error(); }
  long long l = i;
  if (l + 5 > 2147483650LL && l < 2147483646) reach_error();
  if (!!(i > 5) == 0 && i > 5) reach_error();
  return 0;
}
