// Lengths of parameters that do something, arguments of functions inside functions, and types under typeof and alignof.
#include <stdarg.h>
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
typedef int word __attribute__((mode(word)));
typedef int large __attribute__((aligned(16)));
typedef float same, alike;
static int declared(int a, int b[a++], int c);
static int declared(int a, int b[a++], int c) { return a * 10 + c + b[0]; }
static int evaluated(int i, int array[i++], int k, int matrix[k][k]) { return i * 100 + sizeof matrix[0] / sizeof(int) + array[0]; }
static int old(a, b) int a; char b; { return a + b; }
int other<:2:> = <%4, 5%>; __const__ int fixed = 6;
struct open { word x; word y[0]; };
int main(void) {
  int n = __VERIFIER_nondet_int() & 7, numbers[100]; for (int i = 0; i < 100; i++) numbers[i] = i + 1;
  printf("%d %d\n", declared(n, numbers, 3), evaluated(n + 1, numbers, n + 2, (void *)numbers));
  int sum(int count, ...) {
    va_list list; int total = n; va_start(list, count);
    for (int i = 0; i < count; i++) total += va_arg(list, int);
    va_end(list); return total;
  }
  printf("%d %d %d\n", sum(0), sum(2, 5, n), sum(3, 1, 2, 3));
  printf("%d %d %d\n", (int)__alignof__(word) == (int)__alignof__(struct open), (int)__alignof__(large), (int)sizeof(word) == (int)sizeof(struct open));
  printf("%d %d\n", __builtin_types_compatible_p(same, alike), __builtin_types_compatible_p(same, double));
  double number = n; printf("%d %d\n", (int)sizeof(__typeof__(typeof(number))), __builtin_types_compatible_p(typeof(number), double));
  __typeof__(same) half = 0.5f; printf("%a %d\n", half, old(n, 'a'));
  printf("%d %d\n", other[1], fixed);
  return 0;
}
