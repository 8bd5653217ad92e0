// Structs with variable-length arrays inside, sizeof and typeof of what has variable length, and offsets in it.
extern int printf(const char *, ...);
extern void *memset(void *, int, __SIZE_TYPE__);
extern void abort(void);
static int calls;
static int count(int n) { calls++; return n; }
static void members(int n) {
  struct S { char head; short middle[n]; int last; char tail[n + 1]; double number; } s, *p = &s, many[3];
  s.head = 'h'; s.last = n; s.number = n / 2.0;
  for (int i = 0; i < n; i++) { s.middle[i] = i * 3; s.tail[i] = i; }
  s.tail[n] = 7; n += 100;
  printf("%d %d %d ", (int)sizeof s, (int)sizeof(struct S), (int)sizeof s.tail);
  printf("%d %d %d %d %a ", p->head, p->last, (*p).tail[1], s.middle[0], p->number);
  many[0] = s; many[2] = *p; many[1] = many[2]; many[1].last++; many[2].head = 'x';
  printf("%d %d %d %d %d\n", many[0].last, many[1].last, many[2].head, many[1].head, many[2].tail[0]);
  printf("%d %d %d\n", (int)((char *)&many[2] - (char *)many) == 2 * (int)sizeof s, (int)((char *)&s.last - (char *)&s), (int)((char *)&s.number - (char *)p));
}
static int packed(int n) {
  typedef struct { int value; } inner;
  struct S { int i[n]; unsigned b : 1; inner mi; int after; } __attribute__((packed)) __attribute__((aligned(4))) s[2];
  memset(s, 0, sizeof s);
  for (int k = 0; k < 2; k++) { s[k].mi.value = k + n; s[k].i[0] = 5; s[k].b = k; s[k].after = -k; }
  printf("%d %d %d %d\n", s[1].mi.value, s[0].mi.value, s[1].b, s[0].b);
  return sizeof s[0];
}
static void copies(void *x, int y) {
  struct S { char w[y]; } *p = x, a;
  a = ({ struct S b; b = p[2]; p[3] = b; });
  printf("%s %s\n", a.w, p[3].w);
}
static long offset(int n, int i, int j) { typedef int T[n]; struct S { int a; T b[n]; char c; }; return __builtin_offsetof(struct S, b[i][j]) * 1000 + __builtin_offsetof(struct S, c); }
static void sizes(int n) {
  int a[n][n + 1]; int (*row)[n + 1] = a; __typeof__(a[0]) copy; __typeof__(row) other = &a[1]; copy[n] = 1; (*other)[n] = 2; a[0][0] = 9;
  printf("%d %d %d %d ", (int)sizeof a, (int)sizeof a[0], (int)sizeof *row, (int)sizeof copy);
  int bytes = sizeof(int[count(n)]); printf("%d %d ", bytes, calls);
  bytes = sizeof(*(char (*)[count(n)])a); printf("%d %d %d\n", bytes, calls, a[1][n]);
  int used = sizeof(a[count(0)]); printf("%d %d\n", used, calls);
}
int main(void) {
  for (int n = 2; n < 10; n++) {
    members(n); sizes(n); printf("%ld\n", offset(n, 1, 1));
    if (packed(n) != (4 * n + 12 & ~3)) abort();
  }
  struct S { char w[8]; } p[4] = {{"abcdefg"}, {"ABCDEFG"}, {"zyxwvut"}, {"ZYXWVUT"}}; copies(p, 8); printf("%s\n", p[3].w);
  if (offset(5, 2, 3) != (4 + 13 * 4) * 1000 + 104) abort();
  return 0;
}
