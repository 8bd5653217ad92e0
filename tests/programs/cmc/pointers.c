// claim: solved
// Functions called through pointers, and a function whose address is compared.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
int main(void) {
  int x = __VERIFIER_nondet_int() & 15;
  int (*f)(int) = x < 8 ? twice : thrice;
  if (f == twice) {
    int n = 0;
    while (n < 16) {
      n++;
    }
    if (f(x) > 14 || n != 16) {
      reach_error();
    }
  } else if (f(1) != 3) {
    reach_error();
  }
  return 0;
}
