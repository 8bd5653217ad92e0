extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
extern void *memset(void *, int, unsigned); extern void *memcpy(void *, const void *, unsigned);
struct s { int a, b; } s = { 1, 2 }, t = { 3, 4 };
int main(void) {
  memset(&s, 0, 4); if (s.a != 0 || s.b != 2) return 0;
  memcpy(&s, &t, sizeof s);
  if (s.b == 4) reach_error();
  return 0;
}
