// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
// What a pointer writes is not followed, and must not be forgotten.
int main(void) {
  int x = 0, i = 0, *p = &x;
  while (i < 4) { *p = *p + 1; i++; }
  if (x == 4) reach_error();
  return 0;
}
