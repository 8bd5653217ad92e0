// Short circuit, comma, conditional and assignment operators with side effects.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
static int calls;
static int note(int value) { printf("note %d\n", value); calls = calls * 3 + value; return value; }
int main(void) {
  int n = __VERIFIER_nondet_int(), a = 0, b = 1;
  int array[5] = {10, 20, 30, 40, 50}, *p = array;
  if (note(n & 1) && note(2) || note(3)) a |= 1;
  if (!(note(n & 2) || note(4)) && note(5)) a |= 2;
  int value = note(0) || (note(1), note(0)), other = note(1) && note(n & 4);
  printf("%d %d\n", value, other);
  a = n > 3 ? note(6) : note(7), b = (note(8), 9);
  printf("%d %d %d\n", a, b, n < 0 ? -n : n ? n : note(-1));
  int x = n ?: note(11);
  int here = *p++, there = *++p;
  printf("%d %d %d\n", x, here, there);
  p[note(1)] += 5;
  printf("%d %d %d\n", array[3], (int)(p - array), p[-1]);
  a = b = array[n & 3] = 77;
  a += b++ + 1;
  printf("%d %d %d %d\n", a, b, array[0], array[3]);
  for (a = 0, b = 10; a < b; a++, b--) if (a == 3) break;
  printf("%d %d %d\n", a, b, (a < b) + (a == 3 && b == 7) * 2);
  int t = (n > 0) - (n < 0), u = !n, v = !!n, w = (n > 1) == (n > 2);
  printf("%d %d %d %d\n", t, u, v, w);
  while (note(calls & 1) && calls < 1000) ;
  do b -= note(1); while (b > 4 && note(0) == 0);
  return calls & 127;
}
