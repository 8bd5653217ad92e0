// switch: fall through, default in the middle, ranges, nested, on unsigned and long long, Duff's device.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
static int classify(int n) {
  int r = 0;
  switch (n) {
    case 0: r += 1;
    case 1: r += 2; break;
    default: r += 100;
    case 5 ... 7: r += 4; break;
    case -1: { int inner = 8; r += inner; } break;
    case 'a': return 65;
  }
  return r;
}
static int copy(char *to, const char *from, int count) {
  int rounds = (count + 3) / 4;
  if (count <= 0) return 0;
  switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
            } while (--rounds > 0);
  }
  return count;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  for (int i = -3; i < 10; i++) printf("%d ", classify(i));
  printf("%d\n", classify(n));
  char buffer[12] = {0};
  for (int i = 0; i < 8; i++) printf("%d %s|", copy(buffer, "abcdefgh", i), buffer);
  printf("\n");
  switch ((unsigned char)n) { case 255: printf("max\n"); break; case 0: printf("zero\n"); }
  switch ((long long)n << 33) { case 1LL << 33: printf("one\n"); break; case 0: printf("none\n"); break; default: ; }
  switch (n > 3) { int unreachable; case 1: unreachable = 4; printf("%d\n", unreachable); while (n > 3) { switch (n & 1) { case 0: n /= 2; continue; default: break; } n = n - 3; } }
  switch (n) ;
  switch (n) printf("never\n");
  return n & 63;
}
