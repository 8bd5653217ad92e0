// Casts between all scalar types, pointers as integers, sizeof, and reading memory through other types.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
int global[4] = {0x01020304, -1, 0x7fffffff, 5};
int main(void) {
  int n = __VERIFIER_nondet_int();
  printf("%d %d %d %d\n", (signed char)n, (unsigned char)n, (short)(n * 257), (unsigned short)-n);
  printf("%lld %llu %d\n", (long long)(unsigned)n, (unsigned long long)(signed char)n, (int)(_Bool)n);
  printf("%d %d\n", (int)(unsigned char)(signed char)n, (int)((unsigned)(short)n >> 16));
  unsigned long address = (unsigned long)&global[1];
  int *back = (int *)(address + sizeof(int));
  printf("%d %d %d\n", *back == 0x7fffffff, (int)(back - global), (void *)back == (void *)(global + 2));
  unsigned char *bytes = (unsigned char *)global;
  printf("%d %d %d %d\n", bytes[0], bytes[3], *(short *)(bytes + 1), *(unsigned short *)&bytes[4]);
  char *null = 0; int *also = (void *)0; unsigned long zero = (unsigned long)null;
  printf("%d %d %d %d\n", !null, also == 0, zero == 0, (null ? 1 : 2));
  printf("%d %d %d %d %d %d\n", (int)sizeof(char), (int)sizeof(short), (int)sizeof n, (int)sizeof(long), (int)sizeof(void *), (int)sizeof(long long));
  printf("%d %d %d %d\n", (int)sizeof(long double), (int)sizeof global, (int)sizeof(global[0] + 1LL), (int)sizeof(char[3][n & 1 ? 2 : 2]));
  printf("%d\n", (int)sizeof(n++)); (void)n; (void)(n + 1);
  long long both = *(long long *)(global + 0) ; printf("%llx\n", both);
  double d = n; unsigned long long image = *(unsigned long long *)&d; printf("%llx\n", image);
  return (char)(n >> 8) & 1;
}
