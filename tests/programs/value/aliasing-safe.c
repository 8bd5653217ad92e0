// claim: solved
// Exact pointers keep apart what they point to, fields and elements included.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct pair { int first, second; };
int main(void) {
  struct pair s;
  int a[3] = {1, 2, 3};
  struct pair *p = &s;
  p->first = 5;
  (*p).second = a[1];
  int *q = a + 2;
  *q = p->second;
  if (s.first != 5 || s.second != 2 || a[2] != 2 || a[0] != 1) reach_error();
  return 0;
}
