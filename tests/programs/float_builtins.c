// gcc's builtins on floating-point numbers, and what the macros of <math.h> become.
extern int printf(const char *, ...);
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
extern long double fabsl(long double), copysignl(long double, long double);
static const double inf = __builtin_inf(); static float huge = __builtin_huge_valf(); static long double nanl = __builtin_nanl("");
static int count;
static double next(void) { count++; return count - 2; }
static void compare(double a, double b) {
  printf("%d%d%d%d%d%d ", __builtin_isunordered(a, b), __builtin_isless(a, b), __builtin_isgreater(a, b),
         __builtin_islessequal(a, b), __builtin_isgreaterequal(a, b), __builtin_islessgreater(a, b));
  printf("%d%d %d\n", __builtin_isunordered((float)a, b), __builtin_islessgreater((long double)a, (float)b), __builtin_isless(a, 1));
}
static void classify(double d, float f, long double l) {
  printf("%d%d%d %d%d%d ", __builtin_isnan(d), __builtin_isnan(f), __builtin_isnan(l), __builtin_isinf(d), __builtin_isinff(f), __builtin_isinfl(l));
  printf("%d%d%d %d%d%d ", __builtin_isfinite(d), __builtin_finite(d), __builtin_finitel(l), __builtin_isnormal(d), __builtin_isnormal(f), __builtin_isnormal(l));
  printf("%d %d %d ", __builtin_isinf_sign(d), __builtin_isinf_sign(f), __builtin_isinf_sign(l));
  printf("%d %d %d ", __builtin_fpclassify(0, 1, 4, 3, 2, d), __builtin_fpclassify(9, 8, 7, 6, 5, f), __builtin_fpclassify(0, 1, 4, 3, 2, l));
  printf("%d %d %d %d\n", !!__builtin_signbit(d), !!__builtin_signbitf(f), !!__builtin_signbit(l), !!__builtin_signbitl(l));
}
static void signs(double d, double e) {
  printf("%a %a %d ", __builtin_copysign(d, e), __builtin_copysignf(d, e), __builtin_copysignl(d, e) == copysignl(d, e));
  printf("%a %a %d %d\n", __builtin_fabs(d), __builtin_fabsf(d), __builtin_fabsl(d) == fabsl(d), !!__builtin_signbit(fabsl(d)));
}
int main(void) {
  double d = __VERIFIER_nondet_double(), values[] = {d, __VERIFIER_nondet_int(), 0.0, -0.0, inf, -inf, __builtin_nan(""), 1e-310, -1e-40, 1.5};
  int count_of = sizeof values / sizeof *values;
  for (int i = 0; i < count_of; i++) {
    for (int j = 0; j < count_of; j++) compare(values[i], values[j]);
    if (values[i] == values[i]) signs(values[i], d == d ? d : 1);
    classify(values[i], values[i], values[i]);
  }
  printf("%d %d %d\n", huge > 1e38f, nanl != nanl, __builtin_isunordered(next(), next()) + count);
  return __builtin_isgreater(d, 0);
}
