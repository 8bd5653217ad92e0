// float, double and long double: arithmetic, comparisons with NaN, conversions, rounding.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);
static float half(float x) { return x / 2; }
static double poly(double x) { return ((3.5 * x - 2) * x + 0x1.8p-3) * x - 1e-3; }
static long double wide(long double x) { return x * 1.1L + 0.1; }
int main(void) {
  int n = __VERIFIER_nondet_int(); double d = __VERIFIER_nondet_double(); float f = (float)d;
  volatile float tenth = 0.1f; float sum = 0; double dsum = 0; long double lsum = 0;
  for (int i = 0; i < 10; i++) { sum += tenth; dsum += 0.1; lsum += 0.1L; }
  printf("%a %a %La %d %d\n", sum, dsum, lsum, sum == 1, dsum == 1.0);
  printf("%a %a %La\n", half(f), poly(d), wide(d));
  printf("%d %d %d %d %d %d\n", d < f, d <= f, d == f, d != d, !(d > f), d >= 0 || d < 0);
  printf("%a %a %a\n", (float)n, (double)(n * 3u), (float)(long long)n * 1e20f);
  printf("%d %u %lld %d\n", (int)(n / 3.0), (unsigned)((n & 1023) * 1.5f), (long long)(n * 1e3), (char)(n & 63 ? 65.9 : 66.1));
  double zero = 0.0, infinite = 1 / zero, nan = infinite - infinite;
  printf("%d %d %d %d\n", infinite > 1e308, -infinite < d, nan == nan, nan < infinite);
  printf("%d %d %d\n", zero == -zero, 1 / -zero < 0, !zero);
  f += 0.1; f -= n; f *= 3; f /= 7; n += 2.75; n *= 1.5; n &= 1023;
  printf("%a %d %d\n", f, n, 1.0f / 3 == 1.0 / 3);
  _Bool b = d; int chosen = d ? 1 : f ? 2 : 3;
  printf("%d %d %a %a\n", b, chosen, n > 2 ? 1.5f : 2, 16777217 * 1.0f);
  printf("%a %a %a\n", 1e-45f, 4.9e-324, 3.4028235e38f * 2);
  long double l = n; l = l * l / 3; float narrow = l; double medium = l;
  printf("%a %a %d\n", narrow, medium, l == medium);
  return dsum < 1;
}
