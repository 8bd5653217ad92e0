// A compound literal is an object of its block.
#include "../check.h"

struct point { int x, y; };
int sum(struct point p) { return p.x + p.y; }
int *global = (int[]){7, 8, 9};

int main(void) {
  INPUT(x, 0, 10)
  CHECK(sum((struct point){x, .y = 2}) == x + 2);
  int *p = (int[3]){x, x + 1};
  CHECK(p[0] == x && p[1] == x + 1 && p[2] == 0);
  p[2] = 5;
  CHECK(p[2] == 5 && global[2] == 9 && sizeof(int[]){1, 2} == 8);
  struct point *q = &(struct point){.y = x};
  q->x += 4;
  CHECK(q->x == 4 && (const char[]){"abc"}[1] == 'b');
  (int){3}++;
  TWIN(q->x + q->y == x + 4, q->y != 3);
  return 0;
}
