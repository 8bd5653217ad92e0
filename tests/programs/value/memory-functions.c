// Library functions write through their arguments.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *memcpy(void *, const void *, unsigned);

int main(void) {
  int x = 1, y = 2;
  memcpy(&x, &y, sizeof x);
  if (x == 2) reach_error();
  return 0;
}
