extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
int *keep; int g;
static void f(void) { int x = 1; keep = &x; g = *keep; }
int main(void) { f(); if (g == 1) reach_error(); return 0; }
