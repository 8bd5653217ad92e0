// Lists and trees.
#include "../check.h"

struct node { int v; struct node *l, *r; };
int sum(struct node *n) { return n ? n->v + sum(n->l) + sum(n->r) : 0; }

int main(void) {
  INPUT(x, 0, 3)
  struct node a = {1}, b = {2}, root = {x, &a, x == 2 ? 0 : &b};
  TWIN(sum(&root) == x + 1 + (x == 2 ? 0 : 2), sum(&root) != 6);
  return 0;
}
