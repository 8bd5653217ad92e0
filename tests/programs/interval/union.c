extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
union u { int i; unsigned char b[4]; } u;
int main(void) {
  u.i = 1; u.b[1] = 1;
  if (u.i == 257) reach_error();
  return 0;
}
