extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
struct s { unsigned a : 3; } s;
int main(void) {
  s.a = 6; s.a += 3;
  if (s.a == 1) reach_error();
  return 0;
}
