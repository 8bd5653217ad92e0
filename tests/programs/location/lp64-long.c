extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  if (sizeof(long) == 8) {
    reach_error();
  }
  return 0;
}
