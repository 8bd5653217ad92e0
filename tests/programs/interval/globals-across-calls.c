// claim: solved
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
int state = 0, steps;
static void next(void) { if (state < 3) state++; else state = 0; }
int main(void) {
  while (__VERIFIER_nondet_int()) { next(); if (steps < 100) steps++; if (state < 0 || state > 3) reach_error(); }
  if (steps > 100) reach_error();
  return 0;
}
