/* Printed by tandem from figure.c (LP64).
   Compile with gcc -m64 -std=gnu11 -w -fwrapv -fno-strict-aliasing. */

extern void __VERIFIER_assume(int);
extern void abort(void);

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void);
extern void exit(int);

int main(void)
{
  int val;
  int out;
  val = __VERIFIER_nondet_int();
  if (!(val >= 0)) goto L9;
  out = val % 2 * val % 3;
  if (!(out >= 0)) goto L7;
  return 0;
L7:
  reach_error();
  __VERIFIER_assume(0);
  abort();
L9:
  exit(0);
}
