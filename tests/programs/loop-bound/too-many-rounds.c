extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
  int i = 0, j = 0;
  while (i < 21) { i++; j++; }
  if (j != 21 && j < 0) reach_error();
  return 0;
}
