extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
struct s { int a[2]; int b; } s;
int main(void) {
  int *p = s.a; p[2] = 5;
  if (s.b == 5) reach_error();
  return 0;
}
