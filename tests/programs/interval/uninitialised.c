extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
int main(void) {
  int n, i = 0;
  while (i < 2) { int x; if (i == 1 && x == 77) reach_error(); x = 5; i++; }
  return n & 0;
}
