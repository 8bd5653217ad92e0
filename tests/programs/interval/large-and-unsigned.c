// claim: solved
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
int main(void) {
  unsigned long long u = 18446744073709551615ULL; unsigned n = __VERIFIER_nondet_uint();
  u = u - n;
  if (u < 18446744069414584320ULL) reach_error();
  if (n > 65535) return 0;
  n = n * n;
  if (n > 4294836225u) reach_error();
  return 0;
}
