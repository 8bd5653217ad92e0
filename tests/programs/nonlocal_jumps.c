// setjmp and longjmp, with values and through several functions, and jumps out of functions inside functions.
#include <setjmp.h>
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
static jmp_buf env, other;
static void *plain[5];
static int depth(int n, int value) { if (n == 0) longjmp(env, value); return depth(n - 1, value) + 1; }
static void skip(int n) { if (n & 1) longjmp(env, n); printf("not left\n"); }
static void (*indirect)(int) = skip;
static int twice(int n) {
  volatile int tries = 0; int got = setjmp(env);
  tries++; printf("got %d in try %d\n", got, tries);
  if (tries < 4) { int unused = depth(tries, got + (n & 3)); printf("%d\n", unused); }
  return tries;
}
static int keeps(int n) {
  volatile int x = 5; if (setjmp(env)) return x;
  x = 7; x = depth(n & 3, 1); return x + 100;
}
static int outer(int n) {
  if (setjmp(other)) return 40;
  int inner = twice(n); printf("inner %d\n", inner);
  if (n > 2) longjmp(other, 0);
  return inner;
}
static void back(void) { __builtin_longjmp(plain, 1); }
static int builtin(int n) {
  volatile int a = n; if (__builtin_setjmp(plain) == 0) { a = a + 1; back(); return -1; }
  return a;
}
static int recursive(int n, int limit) {
  jmp_buf own; int code = setjmp(own);
  if (code) return code + n;
  if (n < limit) return recursive(n + 1, limit) + 1;
  longjmp(own, 9);
}
static int inside(int a) {
  __label__ out, end; int steps = 0;
  void walk(int n) { steps++; if (n == 0) goto out; if (n == -1) goto end; walk(n - 1); steps += 100; }
  int deeper(int n) { void last(void) { goto end; } if (n > 3) last(); return n; }
  walk(a); printf("not left\n");
 out: steps += deeper(a); return steps;
 end: return -steps;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  printf("%d\n", twice(n)); printf("%d\n", keeps(n)); printf("%d\n", outer(n & 7)); printf("%d\n", builtin(n & 15)); printf("%d\n", recursive(0, n & 3));
  int code = setjmp(env); if (code == 0) indirect(n); else printf("left %d\n", code);
  printf("%d %d %d\n", inside(n & 7), inside(-1), inside(3));
  switch (setjmp(env)) { case 0: depth(2, 0); break; case 1: printf("one\n"); break; default: printf("other\n"); }
  return 0;
}
