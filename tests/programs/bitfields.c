// Bit-fields: signed, unsigned, unnamed, zero-width, wide, in unions, promotions, packing.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);

struct flags { unsigned a : 3; int b : 5; unsigned : 2; unsigned c : 9; unsigned : 0; int d : 1; _Bool e : 1; };
struct wide { unsigned long long x : 40; long long y : 33; unsigned z : 32; char tail; };
struct mixed { char first; int bits : 7; short second : 9; long long third : 20; char last; };
struct __attribute__((packed)) tight { char a; int b : 13; int c : 20; short d; };
union overlay { unsigned raw; struct { unsigned low : 4, mid : 12, high : 16; } part; };

struct flags global = {5, -3, 300, -1, 1};

int main(void) {
  int n = __VERIFIER_nondet_int();
  struct flags f = {0};
  f.a = n; f.b = n; f.c = n * 7; f.d = n; f.e = n;
  printf("%d %d %d %d %d\n", f.a, f.b, f.c, f.d, f.e);
  printf("%d %d %d\n", f.a - 8 < 0, -f.a < 0, ~f.c);
  printf("%d %d\n", (f.a += 9), (f.b <<= 2));
  printf("%d %d %d\n", f.a++, --f.b, f.c--);
  struct wide w = {.x = (unsigned long long)n * 123456789ull, .y = -n, .z = n, .tail = 'w'};
  printf("%llu %lld %u %c\n", (unsigned long long)w.x, (long long)w.y, w.z, w.tail);
  printf("%d %d\n", w.y < 0, w.z > 5);
  struct mixed m = {1, n, n, n, 2};
  printf("%d %d %d %d %d\n", m.first, m.bits, m.second, (int)m.third, m.last);
  struct tight t = {1, n, -n, 7};
  printf("%d %d %d %d\n", t.a, t.b, t.c, t.d);
  union overlay o;
  o.raw = (unsigned)n * 2654435761u;
  printf("%u %u %u\n", o.part.low, o.part.mid, o.part.high);
  o.part.mid = n; printf("%x\n", o.raw);
  printf("%d %d %d %d\n", (int)sizeof(struct flags), (int)sizeof(struct wide), (int)sizeof(struct mixed),
         (int)sizeof(struct tight));
  struct flags copy = global, *p = &copy;
  p->a ^= 7; p->d = p->e;
  printf("%d %d %d %d %d\n", p->a, p->b, p->c, p->d, p->e);
  return p->a == 2 ? f.c & 127 : 1;
}
