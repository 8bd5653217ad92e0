/* Headers of the compiler and the C library go through the system's preprocessor. */
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
#define SQUARE(x) ((x) * (x))
#define NAME(x) #x
struct item { uint8_t small; int64_t large; size_t size; bool flag; };
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  struct item it = {(uint8_t)n, INT64_C(1) << 40, sizeof(struct item), n > 0};
  printf("%d %d %zu %d\n", it.small, (int)(it.large >> 38), it.size, it.flag);
  printf("%d %u %ld %d\n", INT_MIN, UINT_MAX, LONG_MAX, CHAR_BIT);
  printf("%s %d %zu\n", NAME(a + b), SQUARE(n & 15), offsetof(struct item, size));
  int a = compare(&n, &it.flag) > 0;
  char text[] = "length"; printf("%zu %d\n", strlen(text), abs(-5) + (NULL == (void *)0));
  uintptr_t p = (uintptr_t)text; ptrdiff_t d = (char *)p + 3 - text;
  return (int)d + a;
}
