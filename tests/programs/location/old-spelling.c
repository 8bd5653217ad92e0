// claim: solved
extern void __VERIFIER_error(void);
extern void reach_error(void);
int main(void) {
  reach_error();
  return 0;
}
