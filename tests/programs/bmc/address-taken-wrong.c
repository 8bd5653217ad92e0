// claim: solved
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
typedef __typeof__(sizeof(0)) size;
extern void *malloc(size);
extern void *calloc(size, size);
extern void free(void *);
extern void *memset(void *, int, size);
extern void *memcpy(void *, const void *, size);
void reach_error(void) { abort(); }
static void check(int c) { if (!c) reach_error(); }
// Locals that are pointed to, and structs by value. The claim is wrong for some inputs.
struct s { int a; long b; char c[3]; };
static struct s change(struct s v, struct s *w) { v.a++; w->a = 5; w->c[1] = v.c[0]; return v; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  struct s s = { x, 2, "ab" }, t = { 0 };
  struct s r = change(s, &t);
  int *p = &x;
  *p += 1;
  check(r.a != 1234567);
  return 0;
}
