// Complex numbers: parts, also as places, imaginary constants, arithmetic with real and complex operands of all types,
// conversions, comparisons, initialisers, parameters, results, members, variadic arguments.
#include <stdarg.h>
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
extern double creal(_Complex double), cimag(_Complex double);
extern _Complex double conj(_Complex double);

_Complex double global = 1.5 - 2.0i;
__complex__ float single = {2.5f};
_Complex int whole = 3 + 4i;
static _Complex double table[3] = {1.0, 2.0i, 3.0 + 4.0i}, zero;
struct holder { char tag; _Complex double z; unsigned b : 3; _Complex short s; };
static struct holder held = {'h', 1.0i - 3, 5, 2 - 7i};

static void show(const char *what, _Complex double z) { printf("%s %.17g %.17g\n", what, __real__ z, __imag__ z); }

static void parts(int n) {
  _Complex double z, *p = &z;
  __real__ z = n;
  __imag__ z = -1.25;
  __real__ *p += 2;
  ++__imag__(*p);
  double *inside = &__imag__ z;
  *inside *= 3;
  show("parts", z);
  show("swapped", __builtin_complex(__imag__ z, __real z));
  printf("%g %g %g %d\n", creal(z), cimag(z), cimag(conj(z)), (int)__imag__ n);
  table[n & 1] = z;
  __imag table[n & 1] = 9;
  show("table", table[0] + table[1] + table[2]);
}

static void arithmetic(int n) {
  _Complex double a = n + 1 - 2.5i, b = 0.75 + n * 1.0i, c;
  show("add", a + b);
  show("sub", a - b);
  show("mul", a * b);
  show("div", a / b);
  show("real", 2 * a + b / 4 - 1.0f);
  show("real first", 1 - a);
  show("real divided", 1 / b);
  show("negative", -a + ~b);
  c = a;
  c += b;
  c *= c;
  c -= 1;
  c /= 2.0i;
  show("assigned", c);
  show("step", c++);
  show("stepped", --c);
  show("constant", (1.0 + 2.0i) * (3.0 - 4.0i) / (1.0 - 1.0i));
  printf("compare %d %d %d %d %d\n", a == b, a != b, a == n + 1 - 2.5i, b == 0.75, zero == 0);
  printf("truth %d %d %d %d\n", !a, !zero, a && 1.0i, zero ? 1 : 2);
  if (zero || b) show("chosen", n > 1 ? a : 1);
}

static void single_precision(int n) {
  _Complex float f = 1.1f + 2.3fi, g = n - 0.7f;
  _Complex float product = f * f * g, quotient = f / (g + 0.3fi);
  show("float", product);
  show("float quotient", quotient);
  show("mixed", f * 2.0 + global);
  show("wide", (_Complex float)(global / 3));
}

static void integers(int n) {
  _Complex int a = 7 - 5i, b = n + 2i;
  _Complex unsigned char c = 250 + 3i, d = c * c;
  _Complex long long w = a;
  w = w * 1000000007LL * b;
  a = a * b - 3;
  printf("int %d %d %d %d\n", __real__ a, __imag__ a, __real__(a / b), __imag__(a / b));
  printf("char %d %d %d\n", __real__ d, __imag__ d, (int)sizeof(c + c));
  printf("wide %lld %lld\n", __real__ w, __imag__ w);
  printf("%d %d %d\n", __real__(whole / 2), __imag__(whole / 2), __imag__ ~whole);
  printf("%d\n", (int)sizeof(whole + 1.0f) + (int)sizeof(__real__ held.s) * 100);
}

static void conversions(int n) {
  _Complex double z = n + 1.75i;
  double real = z;
  int i = (int)(z * z);
  _Bool yes = 0.0 + 1.0i, no = zero;
  _Complex int down = global * 4;
  unsigned char small = (unsigned char)(z + 300);
  printf("conversions %g %d %d %d %d %d %d\n", real, i, yes, no, __real__ down, __imag__ down, small);
}

static void members(int n) {
  struct holder h = held, *p = &h;
  union { _Complex double z; double d[2]; } u;
  p->z *= 2 - 1.0i;
  __real__ p->s += n;
  u.z = p->z;
  u.d[1] += 0.5;
  show("members", h.z);
  show("union", u.z);
  printf("%d %d %d %d\n", h.tag, h.b, __real__ h.s, __imag__ h.s);
  printf("%d %d\n", (int)sizeof(struct holder), (int)sizeof(_Complex char));
}

static _Complex double power(_Complex double z, int n) { return n > 0 ? z * power(z, n - 1) : 1; }

static _Complex float half(_Complex float z) { return z / 2; }

static _Complex double total(int n, ...) {
  va_list list;
  _Complex double z = 0;
  va_start(list, n);
  while (n-- > 0) z += va_arg(list, _Complex double);
  va_end(list);
  return z;
}

int main(void) {
  int n = __VERIFIER_nondet_int() & 3;
  show("global", global + single + whole);
  parts(n);
  arithmetic(n);
  single_precision(n);
  integers(n);
  conversions(n);
  members(n);
  show("power", power(0.5 + n * 1.0i, 4));
  show("half", half(single + 1.0fi));
  show("total", total(3, global, conj(global), n * 1.0i));
  return 0;
}
