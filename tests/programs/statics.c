// Static locals, shadowing, enums, tentative definitions, const, volatile, extern inside blocks.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
int tentative; int tentative; int tentative = 3;
static int shared = 10;
enum color { RED, GREEN = 4, BLUE, LAST = BLUE + 10 };
static enum color next(enum color c) { static const enum color order[] = {GREEN, BLUE, RED}; return c == RED ? order[0] : c == GREEN ? order[1] : order[2]; }
static int counter(void) { static int count = 5; static int *pointer = &count; return (*pointer)++; }
static int other(void) { static int count; return ++count; }
int main(void) {
  int n = __VERIFIER_nondet_int(), shadow = 1;
  { int shadow = 2; { extern int tentative; shadow += tentative; { int tentative = shadow * 2; shadow = tentative; } } printf("%d ", shadow); }
  for (int shadow = 5; shadow < 7; shadow++) { int n = shadow; printf("%d ", n); }
  printf("%d %d\n", shadow, tentative);
  int first = counter(), second = counter();
  printf("%d %d %d %d\n", first, second, other(), counter());
  enum color c = RED; for (int i = 0; i < 4; i++) { printf("%d ", c); c = next(c); }
  printf("%d %d\n", LAST, (int)sizeof(enum color));
  volatile int v = n; v = v + v; v++;
  const int *const p = &shared; shared += n;
  printf("%d %d\n", v, *p);
  struct shared { int shared; } shared = {1}; { struct shared { char c[3]; } inner; shared.shared += (int)sizeof inner; }
  { enum color { RED = 9 }; shadow = RED; }
  return shadow + shared.shared;
}
