// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
// Members of a union share their bytes.
union u { int a; unsigned char b[4]; };
int main(void) {
  union u v; int i = 0;
  v.a = 0;
  while (i < 3) i++;
  v.b[0] = 9;
  if (v.a == 9) reach_error();
  return 0;
}
