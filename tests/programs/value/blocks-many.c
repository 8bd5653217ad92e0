// claim: solved
// More blocks than can be told apart: the last is also the ninth.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned);

int main(void) {
  int *all[12];
  for (int i = 0; i < 12; i++) {
    all[i] = malloc(sizeof(int));
    *all[i] = i;
  }
  *all[3] = 50;
  if (*all[3] == 50 && *all[11] == 11) reach_error();
  return 0;
}
