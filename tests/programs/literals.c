// Compound literals, statement expressions, typeof, offsetof, alignof, GNU conditionals.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
struct s { int a; char b[5]; double c; };
static int total(const int *values, int count) { int t = 0; while (count--) t += *values++; return t; }
static struct s *global = &(struct s){.a = 3, .b = "four", .c = 5.5};
#define MAX(x, y) ({ __typeof__(x) x_ = (x); __typeof__(y) y_ = (y); x_ > y_ ? x_ : y_; })
int main(void) {
  int n = __VERIFIER_nondet_int();
  printf("%d\n", total((int[]){1, 2, n, 4}, 4) + total((int[5]){[3] = 7}, 5));
  struct s local = (struct s){n, "ab"}, *p = &(struct s){.c = n};
  p->a += local.a;
  printf("%d %s %d %s %d\n", local.a, local.b, p->a, global->b, global->c == 5.5);
  for (int i = 0; i < 3; i++) { int *q = (int[]){i, i + 1}; q[0]++; printf("%d ", q[0] + q[1]); }
  int m = MAX(n++, MAX(3, n)) + ({ int t = 0; for (int i = 0; i < 4; i++) { if (i == n) break; t += i; } t; });
  printf("%d %d\n", m, n);
  printf("%d %d %d\n", (int)__builtin_offsetof(struct s, b[2]), (int)_Alignof(double) > 0, (int)sizeof((struct s){0}.b));
  __typeof__(local.b[0] + 1) wide = 300; printf("%d\n", wide);
  int picked = _Generic(n, char: 1, int: 2, default: 3) + __builtin_choose_expr(1, 10, n);
  return (picked + (n ? : 5)) & 127;
}
