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
// Fields of elements at unknown places, in an array whose elements are no power of two. The claim is wrong for some inputs.
struct pair { short x; int y; char z; } pairs[90];
int main(void) {
  unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
  __VERIFIER_assume(i < 90 && j < 90);
  pairs[i].y = 5;
  pairs[i].z = 6;
  pairs[j].x = -1;
  struct pair copy = pairs[i];
  check(copy.x == 0 || copy.y == 6);
  return 0;
}
