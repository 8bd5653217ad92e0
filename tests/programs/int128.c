// What only 64-bit gcc has: __int128. For ILP32 the same sums with 64 bits.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
#ifdef __SIZEOF_INT128__
typedef __int128 wide; typedef unsigned __int128 uwide;
#else
typedef long long wide; typedef unsigned long long uwide;
#endif
static void show(uwide x) { printf("%llx:%llx\n", (unsigned long long)(x >> 32 >> 16), (unsigned long long)x); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  wide a = n, b = (wide)n << 50; uwide u = (uwide)-1 / 3;
  show(a * b); show(u * (unsigned)n); show(b >> 7); show(-a); show(~u ^ (uwide)a);
  show((uwide)(b / 1000003)); show((uwide)(b % 1000003)); show(u / ((unsigned)n | 1));
  printf("%d %d %d\n", a < b, (uwide)a < u, b == 0);
  double d = (double)b; printf("%a %d\n", d, (int)(wide)(n * 0.5));
  return (int)(u >> 60) & 7;
}
