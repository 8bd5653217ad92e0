extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int calls = 0;
static int work(void) { return ++calls; }
int main(void) {
  work();
  if (work() == 2) {
    reach_error();
  }
  return 0;
}
