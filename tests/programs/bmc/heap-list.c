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
// A list that is built, walked and freed.
struct node { int v; struct node *next; };
int main(void) {
  struct node *head = 0;
  int n = __VERIFIER_nondet_int() & 3, sum = 0;
  for (int i = 0; i < n; i++) {
    struct node *new = malloc(sizeof *new);
    new->v = i + 1;
    new->next = head;
    head = new;
  }
  while (head) {
    struct node *next = head->next;
    sum += head->v;
    free(head);
    head = next;
  }
  check(sum == n * (n + 1) / 2);
  return 0;
}
