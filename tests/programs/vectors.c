// Vector types: operators on elements, scalars as operands, subscripts, casts that keep the bits, members, parameters
// and results, pointers, initialisers, shuffles and conversions.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);

typedef int v4si __attribute__((vector_size(16)));
typedef unsigned v4su __attribute__((vector_size(16)));
typedef short v8hi __attribute__((vector_size(16)));
typedef unsigned char v16qi __attribute__((vector_size(16)));
typedef signed char v4qi __attribute__((vector_size(4)));
typedef float v4sf __attribute__((vector_size(16)));
typedef double v2df __attribute__((vector_size(16)));
typedef long long v2di __attribute__((vector_size(2 * sizeof(long long))));

struct holder { char tag; v4si v; int rest; };
union both { v4si v; int i[4]; short s[8]; };
struct bits { unsigned a : 3; v4qi v; int b : 5; };

v4si global = {1, -2, 3};
v4si table[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
static struct holder held = {'h', {9, 8, 7, 6}, 5};
static v4sf floats = {0.5f, -1.5f, 2.5f, 4.0f};

static void show(const char *what, v4si v) { printf("%s %d %d %d %d\n", what, v[0], v[1], v[2], v[3]); }

static v4si sum(v4si a, v4si b) { return a + b; }

static v4si *last(v4si *p, int n) { return p + n - 1; }

static void integers(int n) {
  v4si a = {n, n + 1, -7, 100}, b = {3, -2, 2, 7};
  show("add", a + b);
  show("sub", a - b);
  show("mul", a * b);
  show("div", a / b);
  show("rem", a % b);
  show("bits", (a & b) | (a ^ 12));
  show("shift", (a << 2) >> (b & 3));
  show("not", ~a);
  show("neg", -a + +b);
  show("scalar", 2 * a + 1 - n);
  show("less", a < b);
  show("equal", a == 100);
  show("more", (v4si)((v4su)a >= (v4su)b));
  a += b;
  a *= 3;
  a <<= 1;
  show("assigned", a);
  show("step", a++);
  show("stepped", --a);
  v4su u = (v4su)a >> 28;
  printf("unsigned %u %u %u %u\n", u[0], u[1], u[2], u[3]);
}

static void narrow(int n) {
  v16qi a = {250, 1, 2, 3, 4, 5, 6, 7}, b = a + 10;
  v4qi c = {127, -128, n, -1}, d = c + 1;
  v8hi e = {1, 2, 3, 4, 5, 6, 7, 32767};
  e = e * e + (short)n;
  printf("narrow %d %d %d %d %d %d %d\n", b[0], b[7], (a << 4)[3], (a > 3)[2], (a > 3)[7], d[0], d[1]);
  printf("short %d %d %d\n", e[0], e[6], e[7]);
  printf("signed %d %d\n", (c >> 1)[1], (c / 3)[0]);
}

static void subscripts(int n) {
  v4si v = {0}, *p = &v;
  v[n & 3] = 5;
  v[3]++;
  (*p)[1] += 7;
  p[0][2] = v[1] = v[n & 3] + 1;
  int k = 0;
  v[k++] = k + 10;
  show("subscripts", v);
  int *inside = (int *)&v + 2;
  *inside = -3;
  show("inside", *last(table, 2) + v);
  table[n & 1][2] = 70;
  show("table", table[0] * table[1]);
  printf("%d %d\n", (table[0] + table[1])[2], sum(v, v)[3]);
}

static void members(void) {
  struct holder h = held, *p = &h;
  union both b;
  struct bits s = {5, {1, 2}, -3};
  p->v += h.v;
  p->v[0] = 1;
  b.v = h.v;
  b.s[2] = 9;
  s.v *= (v4qi){10, 20};
  show("members", p->v);
  show("union", b.v);
  printf("%d %d %d %d %d %d\n", h.tag, h.rest, s.a, s.v[0], s.v[1], s.b);
  printf("%d %d %d %d\n", (int)sizeof(struct holder), (int)sizeof(struct bits), (int)_Alignof(v4si), (int)sizeof s.v);
}

static void casts(int n) {
  v4qi four = (v4qi)0x1020304;
  int back = (int)(four + 1);
  v4si bits = (v4si)floats;
  v4sf again = (v4sf)(bits & 0x7fffffff);
  v8hi halves = (v8hi)(v4si){0x10002, n, -1, 7};
  printf("casts %d %d %x\n", four[0], four[1], back);
  printf("floats %x %g %g\n", bits[1], again[1], (floats * 2.0f - again)[3]);
  printf("halves %d %d %d %d\n", halves[0], halves[1], halves[5], halves[6]);
}

static void floating(int n) {
  v4sf a = floats + (float)n, b = {1, 2, 3, 4};
  v2df d = {1.5, -2.25};
  v4si less = a < b;
  d = d * d / 0.5 - 1;
  show("compare", less);
  printf("floating %g %g %g %g %g\n", (a / b)[0], (a - b)[1], (-a)[2], d[0], d[1]);
}

static void builtins(int n) {
  v4si a = {10, 11, 12, 13}, b = {20, 21, 22, 23}, mask = {n, 5, 2, 7};
  show("shuffle", __builtin_shuffle(a, mask));
  show("shuffle of two", __builtin_shuffle(a, b, mask));
  show("constant", __builtin_shufflevector(a, b, 0, 4, 1, 5));
  v4qi small = {1, -2, n, 4};
  v2di pair = __builtin_shufflevector((v2di){1, 2}, (v2di){n, 4}, 3, 2);
  v4sf f = __builtin_convertvector(a * 3, v4sf);
  v4si t = __builtin_convertvector(f / 4, v4si);
  pair <<= 33;
  printf("%lld %lld %g\n", pair[0], pair[1], f[2]);
  show("widened", __builtin_convertvector(small, v4si) * 1000);
  show("converted", t);
}

static void control(int n) {
  v4si v = n > 1 ? global : (v4si){1, 2, 3, 4};
  v4si w = ({ v4si x = v; x + 1; }), array[3];
  __typeof__(v) typed = w * v;
  for (int i = 0; i < 3; i++) array[i] = v + i;
  v = array[2], w += v;
  show("control", v + w - typed);
  v4si copy = (v4si){n, n}, chain;
  chain = copy = v;
  show("chain", chain - copy * 2);
}

int main(void) {
  int n = __VERIFIER_nondet_int() & 3;
  show("global", global + table[1]);
  integers(n);
  narrow(n);
  subscripts(n);
  members();
  casts(n);
  floating(n);
  builtins(n);
  control(n);
  return 0;
}
