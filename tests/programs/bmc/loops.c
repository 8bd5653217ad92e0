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
// Nested loops with break and continue, and a switch.
int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar() & 3, kind = __VERIFIER_nondet_uchar();
  int count = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 4; j++) {
      if (j == 2)
        continue;
      if (i == 2 && j == 1)
        break;
      switch (kind) {
      case 1: count++;
      case 2: count++; break;
      case 9: count += 10; break;
      default: break;
      }
    }
  }
  check(count % 10 == 0 || kind == 1 || kind == 2);
  return 0;
}
