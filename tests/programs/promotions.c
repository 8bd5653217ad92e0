// Integer promotions and usual arithmetic conversions, at the edges of every type.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  signed char sc = (signed char)n;
  unsigned char uc = (unsigned char)n;
  char c = (char)(n + 200);
  short s = (short)(n * 3);
  unsigned short us = (unsigned short)n;
  unsigned u = (unsigned)n;
  long l = n;
  unsigned long ul = (unsigned long)n;
  long long ll = (long long)n << 20;
  unsigned long long ull = (unsigned long long)n;
  _Bool b = n;
  printf("%d %d %d %d %d %d\n", sc + uc, sc * us, c - s, -uc, ~us, !b + b);
  printf("%d %d %d\n", sc < u, -1 < u, s < us);
  printf("%d %d %d %d\n", l < ul, u < l, u < ll, ll < ull);
  printf("%llu %lld %u\n", u + ll, (long long)(u * u), uc << 4);
  printf("%d %d %d\n", (uc ^ 255) >> 1, (sc | 1) & us, us - 65535 > 0);
  printf("%d %u %ld\n", n / 3 + n % 3, u / 3 + u % 3, l / -7 + l % -7);
  uc += 250; sc *= 3; us -= 70000; s <<= 3; c /= 3; b += 2; u >>= 3; ll %= 1000;
  printf("%d %d %d %d %d %d %u %lld\n", uc, sc, us, s, c, b, u, ll);
  int last = us++;
  printf("%d %d %d %d\n", uc++, --sc, last + us, c-- == 0);
  b = 0.25; printf("%d", b); b = (char)256; printf("%d\n", b);
  return (unsigned char)(n + 1) > 0;
}
