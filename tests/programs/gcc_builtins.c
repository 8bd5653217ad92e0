// gcc's builtins on bits, hints for the optimiser, positions, sizes of objects, and those that are library functions.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
struct part { char name[10]; int number; char last[5]; };
static int effects;
static int effect(int x) { effects++; return x; }
static void bits(int n) {
  unsigned long long w = (unsigned long long)n << 20 ^ 0x5a5a5;
  printf("%d %d %d ", __builtin_clrsb(n), __builtin_clrsbl(n), __builtin_clrsbll((long long)n << 9));
  printf("%d %d %d %d ", __builtin_ffs(n), __builtin_ffsl(n), __builtin_ffsll(w), __builtin_parityll(w));
  printf("%d %d %d ", __builtin_popcount(n), __builtin_popcountl(n), __builtin_popcountll(w));
  printf("%d %d %d ", __builtin_clz(n | 1), __builtin_clzl(n | 1), __builtin_clzll(w | 1));
  printf("%d %d %d ", __builtin_ctz(n | 64), __builtin_ctzl(n | 64), __builtin_ctzll(w | 64));
  printf("%x %x %llx\n", __builtin_bswap16(n), __builtin_bswap32(n), (unsigned long long)__builtin_bswap64(w));
#ifdef __SIZEOF_INT128__
  unsigned __int128 wide = __builtin_bswap128((unsigned __int128)n << 70 | 0x1234567890ULL);
  printf("%llx %llx\n", (unsigned long long)(wide >> 64), (unsigned long long)wide);
#endif
}
static void sizes(void) {
  struct part parts[3]; char *p = parts[1].name; int i = 1;
  printf("%ld %ld %ld ", (long)__builtin_object_size(parts, 0), (long)__builtin_object_size(&parts[1], 0), (long)__builtin_object_size(parts[1].name, 0));
  printf("%ld %ld %ld ", (long)__builtin_object_size(parts[1].name, 1), (long)__builtin_object_size(p, 0), (long)__builtin_object_size(&parts[i], 0));
  printf("%ld %ld %ld ", (long)__builtin_object_size(&parts[1].name[3], 1), (long)__builtin_object_size("abc", 0), (long)__builtin_object_size(parts, 2));
  printf("%ld %ld %ld\n", (long)__builtin_object_size(p, 2), (long)__builtin_object_size((char *)parts + 3, 0), (long)__builtin_object_size(&parts[1].name[i], 3));
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  int values[] = {n, 0, 1, -1, 255, -32768, 2147483647, -2147483647 - 1};
  for (int i = 0; i < 8; i++) bits(values[i]);
  sizes();
  if (__builtin_expect_with_probability(n > 3, 1, 0.9)) printf("large\n");
  int *q = __builtin_assume_aligned(values, sizeof(int), effect(0)); printf("%d %d\n", *q == n, effects);
  printf("%d\n", __builtin_speculation_safe_value(n));
  __builtin_prefetch(q, 0, 1); __builtin___clear_cache((char *)q, (char *)(q + 1));
  printf("%d %s\n", __builtin_LINE(), __builtin_FUNCTION());
  char text[40], other[40];
  int length = __builtin_sprintf(text, "%d/%s/%5.2f", n, "x", 1.25); printf("%d %s\n", length, text);
  length = __builtin_snprintf(other, 4, "%u", n); printf("%d %s\n", length, other);
  __builtin___memcpy_chk(other, text, 10, sizeof other); __builtin___strcpy_chk(text, "copied", __builtin_object_size(text, 1));
  __builtin___strcat_chk(text, "!", (__SIZE_TYPE__)-1); __builtin___memset_chk(other, 'z', 3, 40); other[3] = 0;
  __builtin_printf("%s %s %d\n", text, other, (int)__builtin_strlen(text)); __builtin_puts("end"); __builtin_putchar('\n');
  char *block = __builtin_alloca_with_align(n & 15, 64); printf("%d\n", ((__SIZE_TYPE__)block & 7) == 0);
  char *large = __builtin_alloca_with_align((n & 15) + 1, 512); large[n & 15] = 'l'; printf("%d %c\n", ((__SIZE_TYPE__)large & 63) == 0, large[n & 15]);
  printf("%d %d %a\n", __builtin_toupper('a'), __builtin_isdigit('7') != 0, __builtin_sqrt(2.25));
  return __builtin_abs(n & 3);
}
