// Recursion: mutual, with arrays and structs in frames, returning structs.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
struct pair { int low, high; };
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int ackermann(int m, int n) { return !m ? n + 1 : !n ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static struct pair range(const int *values, int count) {
  struct pair all = {values[0], values[0]};
  if (count > 1) {
    struct pair rest = range(values + 1, count - 1);
    if (rest.low < all.low) all.low = rest.low;
    if (rest.high > all.high) all.high = rest.high;
  }
  return all;
}
static void hanoi(int n, char from, char to, char via) {
  static int moves;
  if (!n) return;
  hanoi(n - 1, from, via, to);
  printf("%d:%c%c ", ++moves, from, to);
  hanoi(n - 1, via, to, from);
}
static void permute(char *text, int at) {
  if (!text[at]) { printf("%s ", text); return; }
  for (int i = at; text[i]; i++) {
    char c = text[at]; text[at] = text[i]; text[i] = c;
    permute(text, at + 1);
    c = text[at]; text[at] = text[i]; text[i] = c;
  }
}
int main(void) {
  int n = __VERIFIER_nondet_int() & 15, values[] = {5, -3, n, 12, 7};
  printf("%d %d %d\n", even(n), odd(n), ackermann(2, n & 3));
  struct pair r = range(values, 5);
  printf("%d %d\n", r.low, range(values, 3).high);
  hanoi(n & 3, 'a', 'b', 'c');
  char text[] = "abcd"; permute(text, 1);
  printf("\n");
  return r.high;
}
