// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int g = 0;
void set(void) { g = 5; }
void other(void) { g = 0; }
int main(void) {
  void (*f)(void) = __VERIFIER_nondet_int() ? set : other;
  int i = 0;
  while (i < 3) i++;
  f();
  if (g == 5) reach_error();
  return 0;
}
