// claim: solved
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
struct s { unsigned a : 3; int b : 4; unsigned c : 1; } s;
int main(void) {
  s.a = __VERIFIER_nondet_int(); s.b = 9; s.c = 2;
  if (s.a > 7) reach_error();
  if (s.b != -7) reach_error();
  if (s.c) reach_error();
  return 0;
}
