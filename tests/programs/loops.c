// for, while, do with break and continue, nested, with empty parts and declarations; the inputs decide how far.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int() & 31, steps = 0, i;
  for (i = 0;; i++) { if (i == n) break; if (i & 1) continue; steps += i; }
  printf("%d %d\n", i, steps);
  int j = n; while (j) { j--; if (j % 3 == 0) continue; if (j == 7) break; steps++; }
  printf("%d %d\n", j, steps);
  do { steps--; if (steps == 4) continue; if (steps < -5) break; } while (steps > 0 && n++ < 100);
  printf("%d %d\n", n, steps);
  for (int a = 0, b = n; a < 5 && b > 0; a++, b -= 3) for (int c = a; c < b; c += 2) { if (c == 5) break; if (c == 3) continue; steps += c; }
  for (; n > 50; n /= 2) ;
  unsigned u = 3; while (u-- > 0) steps += u;
  for (unsigned char k = 250; k; k++) steps++;
  long long big = 1; for (int k = 0; k < 40; k++) big *= 2;
  printf("%d %d %lld\n", n, steps, big);
  while (__VERIFIER_nondet_int() > 2) { steps ^= __VERIFIER_nondet_int(); if (steps & 64) goto out; }
out:
  return steps & 127;
}
