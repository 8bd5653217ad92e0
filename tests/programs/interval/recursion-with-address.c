extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
static void f(int n, int *up) { int here = 1; if (n) f(n - 1, &here); if (up) *up = 2; if (n && here == 2) reach_error(); }
int main(void) { f(2, 0); return 0; }
