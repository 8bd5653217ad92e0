// Function pointers: tables, arguments, results, comparison, struct members, recursion through them.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
typedef int (*binary)(int, int);
struct operation { const char *name; binary apply; struct operation *(*next)(struct operation *); };
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static binary choose(int n) { return n == 0 ? add : n == 1 ? &sub : *mul; }
static struct operation *forward(struct operation *o) { return o + 1; }
static struct operation *stop(struct operation *o) { return o = 0; }
static struct operation list[] = {{"add", add, forward}, {"sub", sub, &forward}, {"mul", mul, stop}};
static int fold(binary f, int start, int count, const int *values) {
  return count ? fold(f, f(start, *values), count - 1, values + 1) : start;
}
static int (*pick(char c))(int, int) { return c == '+' ? add : sub; }
static void twice(void (*f)(int *), int *p) { f(p); (*f)(p); (**f)(p); }
static void increment(int *p) { ++*p; }
int main(void) {
  int n = __VERIFIER_nondet_int(), values[] = {3, 1, 4, 1, 5};
  for (struct operation *o = list; o; o = o->next(o)) printf("%s %d\n", o->name, o->apply(n, 7));
  binary f = choose(n % 3);
  printf("%d %d %d\n", f(6, 4), f == add, f != choose(2));
  printf("%d %d\n", fold(mul, 1, 5, values), fold(n > 0 ? add : sub, n, 5, values));
  printf("%d\n", pick(n > 2 ? '+' : '-')(10, 3) + choose(1)(2, 3));
  twice(increment, &n);
  int (*table[2][2])(int, int) = {{add, sub}, {mul, 0}};
  table[1][1] = table[0][n & 1];
  printf("%d %d\n", table[1][1](9, 2), n);
  void *erased = (void *)add;
  return ((binary)erased)(n & 7, 1);
}
