// claim: solved
// Blocks of one allocation are told apart.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned);

struct node { int value; struct node *next; };
static struct node *make(int value, struct node *next) {
  struct node *n = malloc(sizeof(struct node));
  n->value = value;
  n->next = next;
  return n;
}
int main(void) {
  struct node *list = make(1, make(2, make(3, 0)));
  list->next->value = 20;
  if (list->value != 1 || list->next->value != 20 || list->next->next->value != 3) reach_error();
  if (list->next->next->next != 0 || list == list->next) reach_error();
  return 0;
}
