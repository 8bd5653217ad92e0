// claim: solved
// What is freed is forgotten, and nothing else.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned);
extern void free(void *);

int main(void) {
  int *p = malloc(sizeof(int));
  int *q = malloc(sizeof(int));
  *p = 1;
  *q = 2;
  free(p);
  p = malloc(sizeof(int));
  *p = 3;
  if (*q != 2 || *p != 3) reach_error();
  return 0;
}
