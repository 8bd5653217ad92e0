// The value of an assignment is what was stored; bit-fields compute in their own width; initialisers that override.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);

struct node { struct node *p; int n; };
struct wide { unsigned long long a : 33, b : 40; long long c : 41; unsigned long long d : 32; };
struct small { unsigned a : 3; int b : 5; };
struct pair { int a, b; char text[8]; };
struct outer { struct pair s; int rest; };

struct outer global = {.s = {1, 2, "first"}, .rest = 3, .s = {.b = 9}};
struct pair table[] = {[1] = {1, 2, "one"}, [0] = {3, 4, "zero"}, {.b = 5}};
struct outer kept = {.s = {1, 2, "first"}, .s.b = 9};

static long double half(long double x) { return x / 2; }

int main(void) {
  int n = __VERIFIER_nondet_int();
  struct node a[2] = {{a, 1}, {0, 2}};
  struct node *r = ++(a[0].p->p);
  printf("%d %d\n", (int)(r - a), (int)(a[0].p - a));
  struct node b[2] = {{b, 1}, {0, 2}};
  r = (b[0].p->p += 1);
  printf("%d\n", (int)(r - b));
  struct wide w = {0x1ffffffff, 0xff00000000, -1, 0};
  w.d = (unsigned)n;
  printf("%llu %llu\n", (unsigned long long)(w.b << 8), (unsigned long long)(w.a + w.a));
  printf("%llu %llu\n", (unsigned long long)(w.a * w.b), (unsigned long long)(w.a - w.b));
  printf("%lld %d\n", (long long)(w.c * 5), w.c < 0);
  printf("%llu %d %d\n", (unsigned long long)++w.a, (int)sizeof(w.d + 1), w.d - 1 > 0);
  printf("%llu %llu\n", (unsigned long long)-w.b, (unsigned long long)~w.b);
  struct small s = {7, 15};
  printf("%d %d %d\n", s.a = n | 8, s.b += 9, (int)sizeof(s.a += 1));
  printf("%d %d\n", ++s.a, (s.b = 16) < 0);
  printf("%d\n", s.a--);
  printf("%d %d\n", (int)(s.b % (unsigned)s.a), -1 < (unsigned)s.a);
  struct outer o = {.s = {n, 2, "local"}, .rest = n, .s = {.b = 9}};
  printf("%d %d %d %d %d\n", o.s.a, o.s.b, o.s.text[0], o.rest, global.s.a);
  printf("%d %d %d\n", global.s.b, global.s.text[0], global.rest);
  printf("%d %d %d %d\n", table[1].a, table[1].b, table[1].text[0], table[0].a);
  printf("%d %d\n", kept.s.a, kept.s.b);
  printf("%d\n", (int)half(n));
  return 0;
}
