// Parameters, variables, members, labels and enumerators that have the name of a type, and attributes in casts.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
typedef int T; typedef unsigned char word; typedef struct { int x; } S;
static int twice(T T) { return T * 2; }
static int sizes(long word) { return word + sizeof(word) + sizeof word; }
static int assigned(T a, int T, int b) { T = b; return T * a + (T) * 3 - (T) - 1; }
static int cast(int T) { return (T) + 1 * 2; }
static int logical(int T, int *p) { p = &T; return ((T) & *p) + ((T) && *p); }
static int called(int (*T)(int), int x) { return T(x) + (T)(x); }
static int elements(int T[2], int S) { return T[S] + (S); }
static int block(int n) { T T = n; { int word = T; T = word * T; } return T; }
static int loop(int n) { int r = 0; for (T T = 0; T < n; T++) r += T; T x = r; return x; }
static int label(int n) { if (n) goto T; return 1; T: return 2; }
static int enumerated(void) { enum { T = 5, S }; return T + S; }
static int object(S *p) { S S = *p; return S.x; }
static int declared(void) { T (x) = 3; T (*p) = &x; T (a)[2] = {1, 2}; return *p + a[1]; }
static int inner(int T) { { typedef char T; T x = 1; return sizeof(T) + (T)257 + x; } }
struct members { T T; word word; };
#define ATTRIBUTE __attribute__((__noinline__))
static int ATTRIBUTE actual(void) { return 42; }
int main(void) {
  int n = __VERIFIER_nondet_int() & 15, numbers[] = {n, 8, 9}; struct members m = {.T = n, .word = 5}; S s = {n};
  printf("%d %d %d %d %d\n", twice(n), sizes(n) - (int)sizeof(long) * 2, assigned(n, 3, 4), cast(n), logical(n, 0));
  printf("%d %d %d %d %d\n", called(twice, n), elements(numbers, 1), block(n), loop(n), label(n));
  printf("%d %d %d %d %d\n", enumerated(), object(&s), declared(), inner(n), m.T + m.word);
  void *p = &actual; int a = ((ATTRIBUTE int (*)(void))p)(), b = ((int (ATTRIBUTE *)(void))p)();
  T word = a + b; printf("%d\n", word);
  return 0;
}
