// Shifts and bit operations of all widths and signs; wrapping arithmetic.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
static unsigned rotate(unsigned x, int by) { by &= 31; return by ? x << by | x >> (32 - by) : x; }
static int popcount(unsigned long long x) { int n = 0; for (; x; x &= x - 1) n++; return n; }
int main(void) {
  int n = __VERIFIER_nondet_int(), k = n & 31;
  unsigned u = n; long long ll = n; unsigned long long ull = (unsigned long long)n << 32 | u; short s = n;
  printf("%d %u %d %u\n", n >> k, u >> k, n << k, u << (unsigned char)k);
  printf("%lld %llu %llu\n", ll >> k, ull >> k, ull << (k + 3));
  printf("%d %d %d\n", s >> 3, (s << 20) >> 20, (unsigned short)s >> 3);
  printf("%u %d %d\n", rotate(u, k), popcount(ull), popcount(~0ull >> k));
  printf("%d %d %d\n", n & -n, n ^ n >> 1, ~n | 1);
  int max = 2147483647, min = -max - 1;
  printf("%d %d %d %d\n", max + n, min - n, n * 65537, -min == min);
  printf("%lld %lld\n", ll * 0x7fffffffffffLL, (ll << 40) - (ll << 41));
  printf("%u %llu\n", u * 3000000019u, ull * 0x9E3779B97F4A7C15ull);
  unsigned char b = n; b = b << 3 | b >> 5; b ^= 0x5a; b = ~b;
  n >>= 1; u <<= 1; ll >>= 33; ull ^= ull >> 31; s |= 1; s &= 0xff; s ^= -1;
  printf("%d %d %u %lld %llu %d\n", b, n, u, ll, ull, s);
  return (1 << k) == (int)(1u << k);
}
