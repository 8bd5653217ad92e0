// Functions that read their variadic arguments: all types, lists passed on, copied, kept in structs, read to their end.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
typedef __builtin_va_list list;
struct small { char c; };
struct pair { int a; double b; };
struct large { int values[10]; };
struct holder { int n; list args; };

static int sum(int n, ...) {
  list ap;
  int total = 0;
  __builtin_va_start(ap, n);
  for (int i = 0; i < n; i++) total += __builtin_va_arg(ap, int);
  __builtin_va_end(ap);
  return total;
}

static double mixed(const char *kinds, ...) {
  list ap;
  double total = 0;
  __builtin_va_start(ap, kinds);
  for (; *kinds; kinds++) switch (*kinds) {
    case 'i': total += __builtin_va_arg(ap, int); break;
    case 'l': total += __builtin_va_arg(ap, long long); break;
    case 'd': total += __builtin_va_arg(ap, double); break;
    case 'L': total += __builtin_va_arg(ap, long double); break;
    case 'p': total += *__builtin_va_arg(ap, int *); break;
    case 's': total += __builtin_va_arg(ap, struct small).c; break;
    case 'P': { struct pair p = __builtin_va_arg(ap, struct pair); total += p.a + p.b; break; }
    case 'B': total += __builtin_va_arg(ap, struct large).values[9]; break;
    case 'f': total += __builtin_va_arg(ap, int (*)(int, ...))(2, 3, 4); break;
  }
  __builtin_va_end(ap);
  return total;
}

static int first_of(list ap) { return __builtin_va_arg(ap, int); }
static int next_of(list *ap) { return __builtin_va_arg(*ap, int); }
static int held(struct holder *h) { return __builtin_va_arg(h->args, int); }

static int passed_on(int n, ...) {
  list ap, copy;
  struct holder h;
  __builtin_va_start(ap, n);
  __builtin_va_copy(copy, ap);
  __builtin_va_copy(h.args, ap);
  int a = next_of(&ap), b = next_of(&ap), c = first_of(copy);
  int d = held(&h), e = held(&h);
  __builtin_va_end(copy);
  __builtin_va_end(h.args);
  __builtin_va_end(ap);
  return a * 1000 + b * 100 + c * 10 + d + e;
}

static int depth(int n, ...) {
  list ap;
  __builtin_va_start(ap, n);
  int below = n > 0 ? depth(n - 1, n * 2, n * 3) : 0;
  int own = __builtin_va_arg(ap, int);
  own = own * 10 + __builtin_va_arg(ap, int);
  __builtin_va_end(ap);
  return below * 3 + own;
}

static int twice(int n, ...) {
  list ap;
  __builtin_va_start(ap, n);
  int a = __builtin_va_arg(ap, int);
  __builtin_va_end(ap);
  __builtin_va_start(ap, n);
  int b = __builtin_va_arg(ap, int) - __builtin_va_arg(ap, int);
  __builtin_va_end(ap);
  return a * 16 + b;
}

int main(void) {
  int n = __VERIFIER_nondet_int() & 15;
  struct small s = {7};
  struct pair p = {n, 2.5};
  struct large l = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};
  int (*pointer)(int, ...) = n & 1 ? sum : twice;
  char c = (char)(n + 1);
  float f = 0.5f;
  printf("%d %d\n", sum(0), sum(3, n, c, (short)-4));
  printf("%a\n", mixed("ildLpsPBf", n, 1LL << 33, f, 1.25L, &n, s, p, l, sum));
  printf("%d %d\n", passed_on(2, n, 7), sum(2, sum(2, n, 1), sum(1, 5)));
  printf("%d %d\n", depth(3, 1, n), pointer(2, 5, n));
  printf("%d\n", (int)(sizeof(list) == (sizeof(void *) == 8 ? 24 : 4)));
  return sum(4, 1, 2, 3, 4);
}
