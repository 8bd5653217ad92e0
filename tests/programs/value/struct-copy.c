// claim: solved
// Structs are copied by value: as arguments, results and in assignments.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct s { int a; char b; int c[2]; };
static struct s change(struct s x) { x.a = 9; x.c[1] = 8; return x; }
int main(void) {
  struct s one = {1, 2, {3, 4}}, two;
  two = change(one);
  if (one.a != 1 || one.c[1] != 4 || two.a != 9 || two.b != 2 || two.c[0] != 3 || two.c[1] != 8) reach_error();
  return 0;
}
