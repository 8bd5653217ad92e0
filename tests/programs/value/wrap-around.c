// claim: solved
// Unsigned and signed arithmetic wraps.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned char c = 250;
  c = c + 10;
  int i = 2147483647;
  i = i + 1;
  if (c == 4 && i < 0) reach_error();
  return 0;
}
