// Variable-length arrays give their memory back where their block ends: by its end, break, continue, or a jump back.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
void *volatile kept;

static long blocks(int n) {
  long sum = 0;
  for (int i = 0; i < 30000; i++) {
    int a[n + i % 500 + 1];
    a[0] = i; a[n + i % 500] = 2;
    kept = a;
    {
      char b[i % 900 + 1];
      b[i % 900] = 1;
      kept = b;
      if (i % 3 == 0) continue;
    }
    while (1) {
      short c[i % 700 + 1];
      c[i % 700] = i;
      kept = c;
      if (i % 2) break;
      sum += c[i % 700];
      break;
    }
    sum += a[0] + ({ char d[i % 300 + 1]; d[i % 300] = 3; kept = d; d[i % 300]; });
  }
  return sum;
}

static int jumps(int n) {
  int i = 0;
again:;
  int x[n + i % 1000 + 1];
  x[0] = 1;
  x[n + i % 1000] = 2;
  kept = x;
  if (++i < 40000) goto again;
  return x[n + (i - 1) % 1000] + (int)(sizeof x / sizeof x[0]);
}

static int inner(int n) {
  int i = 0;
  if (0) { in:; }
  int x[n + i % 1000 + 1];
  { int y[i % 100 + 1]; y[i % 100] = i; kept = y; }
  x[n + i % 1000] = i;
  kept = x;
  if (++i < 40000) goto in;
  return x[n + (i - 1) % 1000];
}

int main(void) {
  int n = __VERIFIER_nondet_int() & 15;
  printf("%ld %d %d\n", blocks(n), jumps(n), inner(n));
  int outer[n + 1];
  for (int i = 0; i <= n; i++) { int own[i + 1]; own[i] = i; outer[i] = own[i]; }
  printf("%d\n", outer[n]);
  return 0;
}
