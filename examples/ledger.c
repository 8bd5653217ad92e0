/* A ledger whose assert fails for one sequence of inputs: tandem finds it, without a property file. */
extern int __VERIFIER_nondet_int(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
#define assert(c) ((c) ? (void)0 : __assert_fail(#c, __FILE__, __LINE__, __func__))

int main(void) {
  int balance = 0;
  for (int i = 0; i < 3; i++) {
    int amount = __VERIFIER_nondet_int();
    if (amount < -100 || amount > 100)
      return 0;
    balance += amount;
  }
  assert(balance != 299);
  return 0;
}
