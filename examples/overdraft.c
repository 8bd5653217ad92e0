// An account that forgets to check one kind of withdrawal.
// Expected verdict: FALSE, for example with the inputs 2, 60, 2, 60.

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int balance = 100;

static void withdraw(int amount) {
  if (amount <= balance) {
    balance -= amount;
  }
}

static void pay_fee(int amount) { balance -= amount; }

int main(void) {
  int command;
  while ((command = __VERIFIER_nondet_int()) != 0) {
    int amount = __VERIFIER_nondet_int();
    if (amount < 0 || amount > 100) {
      continue;
    }
    if (command == 1) {
      withdraw(amount);
    } else {
      pay_fee(amount);
    }
    if (balance < 0) {
      reach_error();
    }
  }
  return 0;
}
