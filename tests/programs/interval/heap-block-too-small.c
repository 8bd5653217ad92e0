extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
extern void *malloc(unsigned);
int g;
int main(void) {
  int *p = malloc(4);
  if (p && __VERIFIER_nondet_int() == 77) p[1] = 2;
  if (g) reach_error();
  return 0;
}
