/* Library functions without a declaration have the types that gcc knows. */
extern int __VERIFIER_nondet_int(void);

struct pair {
  long first;
  char *second;
};

static long sum(int n) {
  struct pair *pairs = alloca(n * sizeof(struct pair));
  long total = 0;
  for (int i = 0; i < n; i++) {
    pairs[i].first = i;
    pairs[i].second = malloc(8);
    if (!pairs[i].second)
      return -1;
    strcpy(pairs[i].second, "ab");
    total += pairs[i].first + (long)strlen(strcat(pairs[i].second, "cd"));
    free(pairs[i].second);
  }
  return total;
}

int main(void) {
  char text[16];
  int n = __VERIFIER_nondet_int() & 7;
  memset(text, 'x', sizeof text);
  text[15] = 0;
  double root = sqrt(16.0) + fabs(-2.5);
  char *found = strchr(text, 0);
  printf("%ld %d %d\n", sum(n), (int)(found - text), (int)(root * 10));
  return abs(-n) + (llabs(-(1LL << 40)) >> 38) + (fabsf(-1.5f) > 1.4f);
}
