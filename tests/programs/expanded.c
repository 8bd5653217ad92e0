// What gcc computes itself: functions of reserved names that the program defines, arguments that are hints, names of functions, alignments.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);

long long llabs(long long);
int abs(int x) { return printf("not called\n") + x; }
static long labs(long x) { return x + 1; }
double fabs(double x) { return x - 100; }

int x, y;
static int hint(int z) { if (__builtin_expect(x ? y != 0 : 0, z++)) return 7; return z; }
static int name_size(void) { return sizeof __func__ + 10 * sizeof __FUNCTION__ + __func__[1]; }

struct wide { char c; long long l; char d; double e; };
struct bits { unsigned long long a : 2, b : 40, c : 22; };
struct three { unsigned char a; unsigned b : 15; } __attribute__((packed));
struct odd { unsigned char a : 7; unsigned long long b : 61; } __attribute__((packed));

static long long bits(struct bits s, struct three t, struct odd o) {
  s.c--; t.b += 3; o.b = o.b * 3 + 1;
  return s.b + s.c + t.a + t.b + o.b;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  printf("%lld %d %ld %d\n", llabs(-5 - (n & 7)), abs(-3), labs(2), (int)fabs(-1.5));
  x = 1;
  printf("%d %d\n", hint(10), name_size());
  printf("%d %d %d\n", (int)_Alignof(long long), (int)_Alignof(double), (int)_Alignof(struct wide));
  printf("%d %d %d\n", (int)__alignof__(long long), (int)__alignof__(double), (int)__alignof__(double[3]));
  struct bits s = {1, 10, 3}, t = {1, 2, 3};
  struct three u = {1, 2};
  struct odd o = {3, 1ull << 50};
  printf("%lld %lld\n", bits(s, u, o), bits(t, u, o));
  return 0;
}
long long llabs(long long b) { return b - 1000; }
