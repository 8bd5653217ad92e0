// Labels that __label__ makes local to a block: the same name in several blocks, inside each other, with their
// addresses, in loops and in functions inside functions.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);

#define FIND(array, length, value)                     \
  ({                                                   \
    __label__ found;                                   \
    int at_ = -1, i_;                                  \
    for (i_ = 0; i_ < (length); i_++)                  \
      if ((array)[i_] == (value)) {                    \
        at_ = i_;                                      \
        goto found;                                    \
      }                                                \
  found:                                               \
    at_;                                               \
  })

static int twice(int n) {
  int a[4] = {3, n, 5, 7};
  return FIND(a, 4, 5) * 10 + FIND(a, 4, n) * 100 + FIND(a, 4, 9);
}

static int inside(int n) {
  int r = 0;
  {
    __label__ out, again;
  again:
    {
      __label__ out;
      if (n & 1) goto out;
      r += 10;
    out:
      r += 1;
    }
    if (r > 20) goto out;
    if (n-- > 0) goto again;
    r += 100;
  out:
    r += 1000;
  }
  goto out;
  r += 5;
out:
  return r;
}

static int computed(int n) {
  int r = 0;
  {
    __label__ a, b;
    void *to = n & 1 ? &&a : &&b;
    goto *to;
  a:
    r += 1;
  b:
    r += 2;
  }
  {
    __label__ a, b;
    static void *const to[] = {&&a, &&b};
    goto *to[n & 1];
  a:
    r += 10;
  b:
    r += 20;
  }
  return r;
}

static int nested(int n) {
  __label__ done;
  int f(int k) {
    __label__ done;
    if (k > 1) goto done;
    k += 50;
  done:
    return k;
  }
  int r = f(n);
  if (r > 2) goto done;
  r += 7;
done:
  return r + f(1);
}

int main(void) {
  int n = __VERIFIER_nondet_int() & 3;
  printf("%d %d %d %d\n", twice(n), inside(n), computed(n), nested(n));
  return 0;
}
