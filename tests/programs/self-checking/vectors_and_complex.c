// Vector types and complex numbers beside everything else: declarators, initialisers, bit-fields, unions, functions
// inside functions, pointers to functions, side effects, _Generic.
extern void abort(void);
#define check(x) do { if (!(x)) abort(); } while (0)
typedef int v4 __attribute__((vector_size(16)));
typedef _Complex double cd;
v4 *pv __attribute__((unused));
int __attribute__((vector_size(16))) direct = {1, 2, 3, 4};
__attribute__((vector_size(16))) int before = {5};
int *ptr __attribute__((vector_size(16)));
int arr[2] __attribute__((vector_size(16)));
int fn(int) __attribute__((vector_size(16)));
struct M { int m __attribute__((vector_size(16))); int x; } gm = {.m = {1, 2}, .x = 3};
v4 kr(a, b) v4 a; int b; { return a + b; }
static int calls;
static cd side(cd z) { calls++; return z; }
cd tab[3] = {[1] = 1i, [0] = 2 - 3.5i};
struct N { struct { cd z; int k; } in[2]; } gn = {{[1] = {.z = 4.0i + 1, .k = 2}}};
static v4 vfp(v4 a) { return -a; }

int main(void) {
  check(direct[3] == 4 && before[0] == 5 && before[3] == 0);
  ptr = &direct;
  check((*ptr)[1] == 2);
  check(sizeof(arr) == 32);
  arr[1] = direct;
  check(arr[1][2] == 3);
  check(gm.m[1] == 2 && gm.x == 3 && sizeof(struct M) == 32);
  check(kr(direct, 1)[0] == 2);
  check(__real__ tab[0] == 2 && __imag__ tab[0] == -3.5 && __imag__ tab[1] == 1 && !tab[2]);
  check(__real__ gn.in[1].z == 1 && __imag__ gn.in[1].z == 4 && gn.in[1].k == 2 && gn.in[0].z == 0);
  cd z = side(3.0i) ?: 7;
  check(calls == 1 && __imag__ z == 3);
  z = side(0) ?: 7;
  check(calls == 2 && z == 7);
  z = 1.0iF + 2.0fi + 3i + 4.0il;
  check(__imag__ z == 10);
  check(-__imag__ z == -10 && !__real__ z && __imag__ z * __imag__ z == 100 && sizeof __real__ z == 8);
  double *q = &__imag__ z;
  *q = 2;
  check(__imag__(z) == 2);
  __real__ z++;
  ++__real__ z;
  check(__real__ z == 2);
  z = z, z += z;
  check(__real__ z == 4 && __imag__ z == 4);
  v4 (*f)(v4) = vfp;
  check(f(direct)[2] == -3);
  v4 (*g)() = vfp;
  check(g(direct)[0] == -1);
  __auto_type w = direct * 2;
  check(w[3] == 8 && _Generic(w, v4: 1, default: 0));
  check(_Generic(z, cd: 1, _Complex float: 2, default: 0) == 1 && _Generic(1.0fi, _Complex float: 1, default: 0));
  int captured(int i) { direct[i] = i * 10; w[i]++; z *= 1i; return w[i]; }
  check(captured(2) == 7 && direct[2] == 20 && __real__ z == -4 && __imag__ z == 4);
  volatile cd vz = z;
  vz += 1;
  check(__real__ vz == -3);
  const v4 cv = {1, 1, 1, 1};
  v4 u = cv << (v4){0, 1, 2, 3};
  check(u[3] == 8);
  union { v4 v; int i[4]; cd z; } un = {{1, 2, 3, 4}};
  check(un.i[2] == 3);
  un.z = 1;
  check(__imag__ un.z == 0);
  v4 t = ({ v4 x = cv; x[0] = 9; x; }) + 1;
  check(t[0] == 10 && t[1] == 2);
  for (v4 i = {0}; i[0] < 3; i++) t += i;
  check(t[0] == 13 && t[3] == 5);
  int idx = 0;
  t[idx++] += 5;
  check(idx == 1 && t[0] == 18);
  check((t[1] = 4) == 4 && t[1]-- == 4 && --t[1] == 2);
  v4 a2[2][2] = {{cv, {2}}, {{3, 3}, cv}};
  check(a2[0][1][0] == 2 && a2[1][0][1] == 3 && a2[1][1][3] == 1 && a2[0][0][2] == 1);
  cd s = 0;
  for (int i = 0; i < 4; i++) s = s * 2.0 + i * 1.0i;
  check(__imag__ s == 11 && __real__ s == 0);
  _Complex int ci = 5;
  ci /= 2i;
  check(__real__ ci == 0 && __imag__ ci == -2);
  _Bool b = ci;
  check(b);
  check((int)(3.7 + 2i) == 3);
  unsigned long ul = 3.0 + 1i;
  check(ul == 3);
  struct { unsigned a : 3, b : 4; } bf = {5, 9};
  cd zz = bf.a + bf.b * 1i;
  check(__real__ zz == 5 && __imag__ zz == 9);
  bf.a = zz;
  check(bf.a == 5);
  v4 bv = cv + bf.b;
  check(bv[2] == 10);
  char c = 3;
  check((cv * c)[1] == 3);
  check(__builtin_types_compatible_p(v4, __typeof__(direct)) && !__builtin_types_compatible_p(cd, _Complex float));
  switch (direct[0]) { case 1: break; default: abort(); }
  return 0;
}
