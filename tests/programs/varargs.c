// Calls with variable arguments, old-style functions, implicit int arguments, main with parameters.
extern int printf(const char *, ...);
extern int sprintf(char *, const char *, ...);
extern int __VERIFIER_nondet_int(void);
int old(a, b, c) int a; char b; short c; { return a * 100 + b * 10 + c; }
int none() { return 7; }
static float single(x, y) float x; double y; { return x + y; }
int main(int argc, char **argv) {
  int n = __VERIFIER_nondet_int(); char c = (char)n, buffer[64]; short s = (short)n; float f = n; _Bool b = n; long l = n;
  printf("%d %c %d %a %d %ld %s %%\n", n, 'a' + (c & 7), s, f, b, l, "text");
  printf("%d %llu %hhd %hd %x\n", c, (unsigned long long)l, c, s, (unsigned)n);
  int length = sprintf(buffer, "<%5d|%-4d|%04x>", n & 1023, n & 63, n & 255);
  printf("%s %d\n", buffer, length);
  printf("%d %d %a\n", old(n & 15, 300, 70000), none(), single(1.5f, (double)n));
  printf("%d %d\n", argc, argv[0] != 0);
  return none() + (argv[argc] == 0);
}
