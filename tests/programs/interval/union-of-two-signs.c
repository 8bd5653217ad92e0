// claim: solved
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
union u { int i; unsigned n; } u;
int main(void) {
  u.i = -1;
  if (u.n != 4294967295u) reach_error();
  u.n = 5;
  if (u.i != 5) reach_error();
  return 0;
}
