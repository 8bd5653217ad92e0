// claim: solved
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
int g = 1;
static void change(int *p) { *p = __VERIFIER_nondet_int(); g = 4; }
int main(void) {
  int kept = 7, given = 8;
  change(&given);
  if (kept != 7 || g != 4) reach_error();
  return 0;
}
