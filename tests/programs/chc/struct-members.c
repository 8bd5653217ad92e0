// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
struct pair { int x, y; } p;
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000000) return 0;
  while (p.x < n) { p.x++; p.y--; }
  if (p.x + p.y != 0) reach_error();
  return 0;
}
