// Jumps to addresses of labels, and tables of them.
#include "../check.h"

int run(const char *code) {
  static void *table[] = {&&inc, &&dbl, &&end};
  int v = 1;
  goto *table[*code++ - '0'];
inc: v++; goto *table[*code++ - '0'];
dbl: v *= 2; goto *table[*code++ - '0'];
end: return v;
}

int main(void) {
  INPUT(x, 0, 1)
  char program[] = "0102";
  program[1] = '0' + x;
  void *p = x ? &&yes : &&no;
  goto *p;
  yes: CHECK(x == 1); goto rest;
  no: CHECK(x == 0);
  rest:
  CHECK(run("2") == 1);
  TWIN(run(program) == (x ? 5 : 4), run(program) != 5);
  return 0;
}
