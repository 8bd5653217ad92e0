// Operators # and ##.
#include "../check.h"

#define GLUE(a, b) a##b
#define TEXT(a) #a
#define XTEXT(a) TEXT(a)
#define NUM 42

int main(void) {
  INPUT(x, 0, 3)
  int GLUE(va, lue) = x;
  CHECK(sizeof TEXT(a + "b\n") == 10 && XTEXT(NUM)[1] == '2' && TEXT(NUM)[0] == 'N' && GLUE(1, 2) == 12);
  TWIN(value == x, value != 2);
  return 0;
}
