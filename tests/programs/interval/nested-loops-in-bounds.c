// claim: solved
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
int a[20][30];
int main(void) {
  int i, j;
  for (i = 0; i < 20; i++) for (j = 0; j < 30; j++) a[i][j] = i + j;
  if (a[3][4] < 0 || a[3][4] > 48) reach_error();
  return 0;
}
