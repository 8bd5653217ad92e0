extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
struct s { short a, b; } s;
int main(void) {
  s.b = 1; *(int *)&s = 0x20003;
  if (s.b == 2) reach_error();
  return 0;
}
