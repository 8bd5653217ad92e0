extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
  int i = 0;
  while (i < 30) i++;
  if (i == 30) reach_error();
  return 0;
}
