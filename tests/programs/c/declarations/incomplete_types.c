// Structures and arrays that are completed later.
#include "../check.h"

struct node;
int count(struct node *);
extern int later[];
struct node { struct node *next; int value; };
int count(struct node *n) { return n ? 1 + count(n->next) : 0; }
int at(int i) { return later[i]; }
int later[3] = {7, 8, 9};

int main(void) {
  INPUT(x, 0, 2)
  struct node c = {0, 3}, b = {&c, 2}, a = {x == 1 ? 0 : &b, 1};
  CHECK(at(x) == 7 + x && sizeof later == 12);
  TWIN(count(&a) == (x == 1 ? 1 : 3), count(&a) == 3);
  return 0;
}
