// From a member to the structure that holds it.
#include "../check.h"

#include <stddef.h>
#define container_of(p, type, member) ({ const __typeof__(((type *)0)->member) *_p = (p); (type *)((char *)_p - offsetof(type, member)); })
struct node { int key; struct node *next; };
struct item { int value; struct node link; };

int main(void) {
  INPUT(x, 0, 9)
  struct item a = {x, {1, 0}}, b = {2, {3, &a.link}};
  struct item *p = container_of(b.link.next, struct item, link);
  CHECK(p == &a);
  TWIN(p->value == x, p->value != 5);
  return 0;
}
