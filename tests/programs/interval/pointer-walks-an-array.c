extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
int a[10];
int main(void) {
  int *p = a, i;
  for (i = 0; i < 10; i++) { *p = i; p++; }
  if (a[3] < 0 || a[3] > 9) reach_error();
  return 0;
}
