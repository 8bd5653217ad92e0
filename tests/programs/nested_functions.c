// Functions inside functions: captured variables and parameters, two levels, recursion of both, pointers to them,
// declarations with auto, names that hide others, variable-length arrays, labels of their own.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);

static int apply(int (*f)(int), int x) { return f(x) + f(x + 1); }

static int plain(int n) {
  int calls = 0;
  int twice(int x) { calls++; return 2 * x + n; }
  int r = apply(twice, 3) + calls;
  return r + twice(1) * calls;
}

static int two_levels(int a) {
  int b = a + 1, log[3] = {1, 2, 3};
  struct { int x, y; } s = {5, 6};
  int middle(int c) {
    int d = c * 2;
    int inner(void) {
      b += d;
      log[1] += a;
      s.y = c;
      return a + b + c + d;
    }
    return inner() + inner();
  }
  int r = middle(1) + middle(2);
  return r + b + log[1] * 100 + s.x * s.y;
}

static int outer_recursion(int n) {
  int mine = n;
  int add(int by) { mine += by; return mine; }
  if (n > 0) {
    add(1);
    int below = outer_recursion(n - 1);
    add(10);
    return mine + below;
  }
  return add(100);
}

static int inner_recursion(int n) {
  int depth = 0, most = 0;
  auto int down(int k);
  int both(int k) { return down(k - 1) + 1; }
  int down(int k) {
    depth++;
    if (depth > most) most = depth;
    int r = k > 0 ? both(k) : 0;
    depth--;
    return r;
  }
  return down(n) * 10 + most;
}

static int hides(int printf_) {
  int plain(int x) { return x - printf_; }
  { int plain(int x) { static int count; return ++count + x; } printf_ += plain(3) + plain(4); }
  return plain(50);
}

static int lengths(int n) {
  int a[n];
  int sum(void) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s + (int)sizeof a; }
  for (int i = 0; i < n; i++) a[i] = i * i;
  return sum();
}

static int labels(int n) {
  int rounds = 0;
  int f(int k) { again: rounds++; if (k-- > 0) goto again; return rounds; }
again:
  n--;
  if (f(2) < 12 && n > 0) goto again;
  return rounds * 10 + n;
}

static int order(void) {
  int x = 1;
  int change(void) { x = 10; return 1; }
  int r = x ? x * 3 : 0;
  r += change() * 100;
  r += x;
  return r - (change() ? x : 0);
}

int main(void) {
  int n = __VERIFIER_nondet_int() & 3;
  printf("%d %d %d\n", plain(n), two_levels(n), outer_recursion(n));
  printf("%d %d %d %d %d\n", inner_recursion(n), hides(n), lengths(n + 1), labels(n), order());
  return 0;
}
