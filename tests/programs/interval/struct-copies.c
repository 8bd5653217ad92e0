// claim: solved
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void); extern void reach_error(void);
struct in { int a; char b[3]; }; struct out { struct in x, y; } o, p;
static struct out make(struct in i) { struct out r = { i, { 5, { 6, 7, 8 } } }; return r; }
int main(void) {
  struct in i = { 1, { 2, 3, 4 } };
  o = make(i); p = o; p.x.b[1] = 9;
  if (o.x.b[1] != 3 || p.x.b[1] != 9 || p.y.b[2] != 8) reach_error();
  return 0;
}
