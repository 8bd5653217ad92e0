// Vectors of 8 bytes, which gcc keeps in MMX registers for ILP32, in a program without floating-point numbers.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);

typedef int v2si __attribute__((vector_size(8)));
typedef unsigned char v8qi __attribute__((vector_size(8)));
typedef short v4hi __attribute__((vector_size(8)));
typedef long long v1di __attribute__((vector_size(8)));

static v2si global = {1, -2};
struct holder { char tag; v2si v; unsigned b : 3; };

static v2si change(v2si v, int at) {
  v[at & 1] += 5;
  return v * 2;
}

int main(void) {
  int n = __VERIFIER_nondet_int() & 3;
  v2si two = (v2si)0x100000002LL;
  long long back = (long long)(two + n);
  v8qi bytes = {250, 1, 2, 3, 4, 5, 6, 7}, more = bytes + 10;
  v4hi halves = (v4hi)bytes;
  v1di one = {n};
  struct holder h = {1, {7, 8}, 5};
  h.v += change(global, n);
  one = (one << 33) - 1;
  printf("%d %d %llx\n", two[0], two[1], back);
  printf("%d %d %d %d\n", more[0], more[7], (bytes > 3)[2], (bytes > 3)[7]);
  printf("%d %d %lld\n", halves[0], (halves >> 2)[3], one[0]);
  printf("%d %d %d %d\n", h.v[0], h.v[1], h.b, (int)sizeof h);
  return 0;
}
