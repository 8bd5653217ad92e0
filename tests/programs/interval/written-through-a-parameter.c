extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
int g = 1;
static void set(int *p, int v) { *p = v; }
int main(void) {
  int l = 5; set(&g, 9); set(&l, 6);
  if (g == 9 && l == 6) reach_error();
  return 0;
}
