// goto: into loops, backwards, out of nests, over declarations; labels and computed jumps between blocks.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, rounds = 0;
  if (n % 2) goto inside;
  for (i = 0; i < 5; i++) {
    printf("loop %d\n", i);
  inside:
    rounds++;
    if (rounds > 20) goto done;
    if (i == 3 && n > 2) goto again;
  }
  while (rounds < 10) {
    do {
      if (rounds++ == 7) goto out;
      continue;
    } while (rounds % 3);
    { int skipped = 5; if (n == skipped) goto block; }
    rounds += 2;
  block:;
  }
out:
  printf("out %d %d\n", rounds, i);
  goto end;
again:
  n--;
  i = 0;
  goto inside;
done:
  printf("done %d\n", rounds);
end:
  if (n > 100) { n /= 3; goto end; }
  return n & 31;
}
