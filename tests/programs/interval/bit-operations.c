// claim: solved
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if ((n & 12) > 12) reach_error();
  if ((n | 8) < 8) reach_error();
  if ((n >> 28) > 15) reach_error();
  if (n % 7 > 6) reach_error();
  int m = __VERIFIER_nondet_int();
  if (m % 5 > 4 || m % 5 < -4) reach_error();
  if (m / 2 > 1073741823) reach_error();
  if ((m & 255) < 0) reach_error();
  return 0;
}
