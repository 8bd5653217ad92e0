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
// String literals and their ends. The claim is wrong for some inputs.
static const char *name = "tandem";
char word[] = "verify";
int main(void) {
  unsigned i = __VERIFIER_nondet_uint();
  __VERIFIER_assume(i < 6);
  word[i] = 0;
  unsigned length = 0;
  while (word[length])
    length++;
  check(name[i] != 'd' || length != 3);
  return 0;
}
