// __sync and __atomic builtins and <stdatomic.h>: what they give back, and what they leave in memory.
#include <stdatomic.h>
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);

struct pair { int a, b; };
struct counted { char tag; _Atomic long long count; char end; };

static int calls;
static int *next(int *p) { calls++; return p; }

static void sync_builtins(int n) {
  int x = n;
  printf("%d %d\n", __sync_fetch_and_add(&x, 5), x);
  printf("%d\n", __sync_add_and_fetch(&x, 3) == x);
  printf("%d\n", __sync_fetch_and_sub(next(&x), 1));
  printf("%d\n", __sync_sub_and_fetch(&x, 2));
  printf("%d\n", __sync_or_and_fetch(&x, 64));
  printf("%d\n", __sync_fetch_and_and(&x, 0x7ff));
  printf("%d\n", __sync_xor_and_fetch(&x, 21));
  printf("%d %d\n", __sync_nand_and_fetch(&x, 12), __sync_fetch_and_nand(&x, 7));
  int old = x;
  printf("%d\n", __sync_bool_compare_and_swap(&x, old, 11));
  printf("%d %d\n", __sync_bool_compare_and_swap(&x, old + 1, 12), x);
  printf("%d\n", __sync_val_compare_and_swap(&x, 11, 13));
  printf("%d\n", __sync_val_compare_and_swap(&x, 11, 14));
  __sync_synchronize();
  printf("%d\n", __sync_lock_test_and_set(&x, 1));
  __sync_lock_release(&x);
  printf("%d %d\n", x, calls);
  unsigned char small = 250;
  printf("%d\n", __sync_add_and_fetch(&small, 10));
  signed char wraps = 127;
  printf("%d %d\n", __sync_fetch_and_add(&wraps, 1), wraps);
  unsigned long long wide = 1ull << 40;
  printf("%llu\n", __sync_sub_and_fetch(&wide, 1));
}

static void atomic_builtins(int n) {
  long x = n, y = 7, z = 0;
  printf("%ld\n", __atomic_load_n(&x, __ATOMIC_SEQ_CST));
  __atomic_store_n(&x, 40, __ATOMIC_RELEASE);
  __atomic_load(&x, &z, __ATOMIC_ACQUIRE);
  printf("%ld\n", z);
  __atomic_store(&x, &y, __ATOMIC_RELAXED);
  printf("%ld %ld\n", __atomic_exchange_n(&x, 9, __ATOMIC_ACQ_REL), y);
  __atomic_exchange(&x, &y, &z, __ATOMIC_SEQ_CST);
  printf("%ld %ld %ld\n", x, y, z);
  printf("%d %ld\n", __atomic_compare_exchange_n(&x, &y, 100, 0, 5, 5), x);
  printf("%d %ld %ld\n", __atomic_compare_exchange_n(&x, &y, 101, 1, 5, 5), x, y);
  z = 55;
  printf("%d %ld\n", __atomic_compare_exchange(&x, &y, &z, 0, 5, 5), x);
  printf("%ld %ld\n", __atomic_fetch_add(&x, 4, 5), __atomic_add_fetch(&x, 4, 5));
  printf("%ld %ld\n", __atomic_fetch_nand(&x, 6, 5), __atomic_nand_fetch(&x, 6, 5));
  printf("%ld %ld\n", __atomic_fetch_or(&x, 8, 5), __atomic_xor_fetch(&x, 3, 5));
  char flag = 0;
  printf("%d %d %d\n", __atomic_test_and_set(&flag, 5), __atomic_test_and_set(&flag, 5), flag);
  __atomic_clear(&flag, 5);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  printf("%d %d\n", flag, __atomic_always_lock_free(4, 0));
  int row[4] = {1, 2, 3, 4}, *p = row;
  __atomic_fetch_add(&p, 2 * sizeof(int), 5);
  printf("%d\n", *p);
  __sync_sub_and_fetch(&p, sizeof(int));
  printf("%d\n", *p);
  struct pair a = {1, 2}, b = {3, 4}, c;
  __atomic_exchange(&a, &b, &c, 5);
  printf("%d %d %d %d\n", a.a, a.b, c.a, c.b);
}

static void header(int n) {
  atomic_int x = ATOMIC_VAR_INIT(4);
  _Atomic(unsigned) u = 3;
  atomic_flag f = ATOMIC_FLAG_INIT;
  int expected = 4;
  printf("%d\n", atomic_compare_exchange_strong(&x, &expected, n));
  printf("%d %d\n", atomic_compare_exchange_weak(&x, &expected, n + 1), expected == n);
  atomic_store(&x, 10);
  atomic_init(&u, 6u);
  printf("%d %u\n", atomic_load(&x), atomic_load_explicit(&u, memory_order_acquire));
  printf("%d %d\n", atomic_fetch_add(&x, 2), atomic_fetch_sub_explicit(&x, 1, memory_order_relaxed));
  printf("%u %u %u\n", atomic_fetch_or(&u, 9u), atomic_fetch_and(&u, 12u), atomic_fetch_xor(&u, 1u));
  printf("%d %d\n", atomic_exchange(&x, 77), x);
  printf("%d %d\n", atomic_flag_test_and_set(&f), atomic_flag_test_and_set(&f));
  atomic_flag_clear(&f);
  printf("%d\n", atomic_flag_test_and_set(&f));
  x += 3; x++; --x; u <<= 2;
  printf("%d %u %d\n", x, u, atomic_is_lock_free(&x));
  printf("%d %d\n", (int)sizeof(struct counted), (int)__builtin_offsetof(struct counted, count));
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  sync_builtins(n);
  atomic_builtins(n);
  header(n);
  return 0;
}
