// Unions, type punning, anonymous members, nested aggregates.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
typedef union { float f; unsigned u; unsigned char bytes[4]; } pun;
struct outer {
  int kind;
  union { int i; char c[8]; struct { short x, y; }; };
  struct { int deep; union { long l; unsigned char b[sizeof(long)]; }; } named;
};
static struct outer table[3] = {{1, {.i = 7}}, {2, {.c = "abc"}}, {.kind = 3, .x = 5, .y = 6, .named = {.deep = 9, .l = -2}}};
static union { int a; double d; } first_member = {42};

int main(void) {
  int n = __VERIFIER_nondet_int();
  pun p; p.f = (float)n + 0.5f;
  printf("%x %d %d %d %d\n", p.u, p.bytes[0], p.bytes[1], p.bytes[2], p.bytes[3]);
  p.bytes[3] ^= 0x80; printf("%d\n", p.f == -((float)n + 0.5f));
  for (int i = 0; i < 3; i++) {
    struct outer o = table[i];
    o.i += n;
    printf("%d %d %d %d %d %d\n", o.kind, o.i, o.c[0], o.x, o.y, o.named.deep);
    printf("%ld %d\n", o.named.l, o.named.b[0]);
    table[(i + 1) % 3].named = o.named;
    table[i].named.b[0] += 1;
  }
  printf("%d %d\n", first_member.a, (int)sizeof(struct outer));
  return table[1].named.deep & 15;
}
