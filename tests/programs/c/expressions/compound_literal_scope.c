// Literals live in their block and are objects.
#include "../check.h"

struct s { int a, b[2]; };
int total(const struct s *s) { return s->a + s->b[0] + s->b[1]; }

int main(void) {
  INPUT(x, 0, 4)
  int *p = (int[3]){x, x + 1};
  p[2]++;
  CHECK(p[0] + p[1] + p[2] == 2 * x + 2 && (int){5} == 5 && sizeof(int[]){1, 2} == 8);
  (struct s){1}.b[0];
  int n = 0;
  for (int i = 0; i < 3; i++) n += (struct s){.b = {i, x}}.b[1];
  TWIN(n == 3 * x && total(&(struct s){x, {1, 2}}) == x + 3, total(&(struct s){x, {1}}) != 4);
  return 0;
}
