// An attribute belongs to a structure only behind its keyword or its body; elsewhere, to what is declared.
#include "../check.h"

__attribute__((packed)) struct before { char c; int i; };
struct between { char c; int i; } const __attribute__((packed)) between;
struct behind { char c; int i; } __attribute__((packed)) behind;
typedef __attribute__((aligned(16))) struct { char c; } sixteen;
struct member { char c; __attribute__((packed)) int first, second; };
struct inner { char c; __attribute__((packed)) struct part { char d; int e; } part; };
__attribute__((packed)) enum wide { WIDE };
enum narrow { NARROW } __attribute__((packed));

int main(void) {
  INPUT(n, 0, 3)
  CHECK(sizeof(struct before) == 8 && sizeof between == 8 && sizeof behind == 5);
  CHECK(sizeof(sixteen) == 1 && sizeof(enum wide) == 4 && sizeof(enum narrow) == 1);
  struct member m = {n, n, n};
  CHECK(sizeof m == 9 && sizeof(struct inner) == 9);
  TWIN(((char *)&m)[1] == n, ((char *)&m)[4] == n);
}
