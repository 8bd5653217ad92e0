extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
struct node { int v; int *p; } a, b;
int x = 1;
int main(void) {
  a.p = &x; b = a; *b.p = 2;
  if (x == 2) reach_error();
  return 0;
}
