// <complex.h>, variadic complex arguments, variable-length arrays, signs of zeros, vectors of 64-bit elements.
#include <complex.h>
#include <stdarg.h>
#include <stdlib.h>
#define check(x) do { if (!(x)) abort(); } while (0)
typedef long long l2 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));
typedef unsigned short us8 __attribute__((vector_size(16)));

static double sum(int n, ...) {
  va_list l;
  va_start(l, n);
  double complex z = 0;
  while (n--) {
    float complex f = va_arg(l, float complex);
    z += f;
    z *= va_arg(l, double complex);
  }
  va_end(l);
  return creal(z) + cimag(z);
}

static l2 half(l2 x) { return x >> 1; }

static double complex pick(int k) {
  switch (k) {
    case 0: return I;
    case 1: return 2;
    default: return 3 * I + 1;
  }
}

int main(void) {
  double complex z = 3 + 4 * I;
  check(creal(z) == 3 && cimag(z) == 4 && conj(z) == 3 - 4 * I);
  check(sum(2, (float complex)(1 + I), z, (float complex)(2.0f * I), 1 + 0 * I) != 0);
  check(pick(0) * pick(0) == -1 && pick(1) == 2 && cimag(pick(5)) == 3);
  l2 a = {10, -7};
  check(half(a)[0] == 5 && half(a)[1] == -4);
  d2 d = {1.5, -2};
  l2 m = d < 0;
  check(m[0] == 0 && m[1] == -1);
  d = (d2)((l2)d & ~m);
  check(d[0] == 1.5 && d[1] == 0);
  us8 u = {65535, 1};
  u += 1;
  check(u[0] == 0 && u[1] == 2 && u[7] == 1);
  u = u * 65535;
  check(u[1] == 65534);
  int n = 3;
  double complex vla[n];
  l2 vl[n];
  for (int i = 0; i < n; i++) vla[i] = i - I, vl[i] = (l2){i, -i};
  check(vla[2] == 2 - I && vl[2][1] == -2 && sizeof vla == 48);
  double complex *h = malloc(2 * sizeof *h);
  h[1] = z;
  __real__ h[1] -= 1;
  check(*(h + 1) == 2 + 4 * I);
  free(h);
  z = z / (1 + 2 * I);
  check(creal(z) == 2.2 && cimag(z) == -0.4);
  float complex f = 1.0f / (0.5f + 0.5f * I);
  check(crealf(f) == 1 && cimagf(f) == -1);
  double complex e = z == z ? z : 0;
  check(e == z);
  check(!(z != e));
  z = CMPLX(1, -0.0);
  check(__builtin_signbit(cimag(z)));
  z = -z;
  check(!__builtin_signbit(cimag(z)));
  z = 1 - CMPLX(0, 0.0);
  check(__builtin_signbit(cimag(z)));
  long double complex lz = 1.0L + 2.0iL;
  lz = lz * lz;
  check(__real__ lz == -3 && __imag__ lz == 4);
  return 0;
}
