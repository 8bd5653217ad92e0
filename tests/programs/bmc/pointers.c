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
// A pointer to one of several objects.
struct node { int v; struct node *next; };
int a[5], b;
int main(void) {
  struct node second = { 2, 0 }, first = { 1, &second };
  int *p = __VERIFIER_nondet_int() > 0 ? &a[3] : &b;
  if (__VERIFIER_nondet_int() == 4)
    p = &first.next->v;
  *p = 9;
  check(a[3] + b + second.v == (second.v == 9 ? 9 : 11));
  return 0;
}
