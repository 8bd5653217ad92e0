// claim: solved
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
extern void *memset(void *, int, unsigned); extern void *malloc(unsigned);
struct s { int a; char c; int b[3]; } s = { 1, 2, { 3, 4, 5 } };
int main(void) {
  memset(&s, 0, sizeof s);
  if (s.a || s.c || s.b[2]) reach_error();
  int *p = malloc(8);
  if (p) { p[0] = 1; p[1] = 2; }
  if (s.a) reach_error();
  return 0;
}
