// Functions of the C library that call back, or give structs: sorting is stable, and compares as glibc does.
#include <search.h>
#include <stdlib.h>
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);

struct item { int key; char name; };
static int comparisons;

static int by_key(const void *a, const void *b) {
  comparisons++;
  return ((const struct item *)a)->key - ((const struct item *)b)->key;
}
static int descending(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return x < y ? 1 : x > y ? -1 : 0;
}

int main(void) {
  struct item items[7] = {{3, 'a'}, {1, 'b'}, {2, 'c'}, {3, 'd'}, {1, 'e'}, {9, 'f'}, {0, 'g'}};
  qsort(items, 7, sizeof items[0], by_key);
  for (int i = 0; i < 7; i++) printf("%d%c ", items[i].key, items[i].name);
  printf("after %d\n", comparisons);

  int numbers[600];
  for (int i = 0; i < 600; i++) numbers[i] = i * 7919 % 601;
  qsort(numbers, 600, sizeof(int), descending);
  printf("%d %d %d\n", numbers[0], numbers[1], numbers[599]);

  struct item wanted = {2, 0};
  struct item *found = bsearch(&wanted, items, 7, sizeof items[0], by_key);
  printf("%c\n", found ? found->name : '?');
  wanted.key = 5;
  printf("%d\n", bsearch(&wanted, items, 7, sizeof items[0], by_key) == NULL);

  size_t count = 7;
  wanted.key = 9;
  found = lfind(&wanted, items, &count, sizeof items[0], by_key);
  printf("%c %d\n", found ? found->name : '?', (int)count);

  int x = __VERIFIER_nondet_int();
  div_t d = div(x % 1000, 7);
  printf("%d\n", d.quot * 7 + d.rem == x % 1000);
  d = div(-17, 5);
  ldiv_t l = ldiv(-17, -5);
  lldiv_t q = lldiv(1LL << 40, 1000);
  printf("%d %d %ld %ld %lld %lld\n", d.quot, d.rem, l.quot, l.rem, q.quot, q.rem);
  return 0;
}
