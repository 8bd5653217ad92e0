// _Generic and __builtin_types_compatible_p see qualifiers of what is pointed to, arrays, functions and enumerations.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);

typedef const char *text;
typedef int row[4];
enum color { red, green };
enum shape { round_one, square };
struct node { const struct node *next; char *name; const int fixed; volatile int *hardware; int bits : 7; int plain; };

const int *constant(void);
int *variable(void);
int takes(const char *);
int gives(char *);

#define KIND(e) _Generic((e), char *: 1, const char *: 2, int *: 3, const int *: 4, volatile int *: 5, \
    const volatile int *: 6, int: 7, unsigned: 8, long: 9, double: 10, void *: 11, const void *: 12, \
    struct node *: 13, const struct node *: 14, char **: 15, const char **: 16, char *const *: 17, \
    int (*)[4]: 18, int (*)(const char *): 19, int (*)(char *): 20, float: 21, char: 22, default: 99)
#define SAME(a, b) __builtin_types_compatible_p(a, b)

static int parameters(const char *s, char t[], const int u[4], int (*f)(char *), row r, text w) {
  return KIND(s) + 100 * KIND(t) + 10000 * KIND(u) + KIND(f) + KIND(r) + KIND(w);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  const char *s = "s"; char *t = 0; text u = s; const int c = 4; volatile int v = 5; int i = n; row r; const row k = {1};
  struct node a = {0, t, 3, &v, 1, 2}; const struct node *p = &a; char *const *names = &t;
  printf("%d %d %d %d %d\n", KIND(s), KIND(t), KIND(u), KIND("abc"), KIND(&s[1]));
  printf("%d %d %d %d %d\n", KIND(&c), KIND(&v), KIND(c), KIND(v), KIND(&i));
  printf("%d %d %d %d\n", KIND(r), KIND(&r), KIND(k), KIND(&k[1]));
  printf("%d %d %d %d %d\n", KIND(a.next), KIND(a.name), KIND(&a.fixed), KIND(a.hardware), KIND(a.bits));
  printf("%d %d %d %d\n", KIND(p), KIND(&p->plain), KIND(p->next), KIND(&a.plain));
  printf("%d %d %d %d\n", KIND(&t), KIND(&s), KIND(names), KIND(names[0]));
  printf("%d %d %d %d\n", KIND(constant()), KIND(variable()), KIND(takes), KIND(&gives));
  printf("%d %d %d %d\n", KIND(s + 1), KIND(1 + t), KIND((const void *)t), KIND((void *)0));
  printf("%d %d %d %d\n", KIND(t++), KIND(s = t), KIND((n, t)), KIND(*names));
  printf("%d %d %d %d\n", KIND('a'), KIND((char)1), KIND(1.0f), KIND(red));
  printf("%d\n", parameters(s, t, r, gives, r, s));
  printf("%d %d %d %d\n", SAME(char *, const char *), SAME(const int, int), SAME(int[], int[5]), SAME(int[4], int[5]));
  printf("%d %d %d %d\n", SAME(row, int[4]), SAME(text, const char *), SAME(enum color, enum shape), SAME(enum color, enum color));
  printf("%d %d %d %d\n", SAME(int (*)(const char *), int (*)(char *)), SAME(typeof(s), text), SAME(long, int), SAME(struct node *, const struct node *));
  printf("%d %d\n", SAME(typeof(takes), int(const char *)), SAME(char *const *, char **));
  printf("%d %d %d %d\n", __builtin_constant_p("abc"), __builtin_constant_p(1.5), __builtin_constant_p(3 * 4), __builtin_constant_p(n));
  return 0;
}
const int *constant(void) { return 0; }
int *variable(void) { return 0; }
int takes(const char *s) { return *s; }
int gives(char *s) { return *s; }
