// Multi-dimensional arrays, variable-length arrays, pointers to rows, pointer arithmetic and differences.
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
static int sum_rows(int rows, int columns, int m[rows][columns]) {
  int sum = 0;
  for (int i = 0; i < rows; i++) for (int k = 0; k < columns; k++) sum = sum * 3 + m[i][k];
  return sum;
}
static int sum_fixed(int m[][4], int rows) { return m[rows - 1][3] + (*m)[1] + *(*(m + 1) + 2); }
static int cube[2][3][4];
int main(void) {
  int n = (__VERIFIER_nondet_int() & 7) + 2;
  int square[n][n + 1], line[2 * n];
  for (int i = 0; i < n; i++) for (int k = 0; k <= n; k++) square[i][k] = i * 10 + k;
  for (int i = 0; i < 2 * n; i++) line[i] = i * i;
  printf("%d %d %d\n", sum_rows(n, n + 1, square), (int)sizeof square, (int)(sizeof line / sizeof line[0]));
  int (*row)[n + 1] = square + n - 1;
  printf("%d %d\n", (*row)[n], row[0][0]);
  for (int i = 0; i < 24; i++) (&cube[0][0][0])[i] = i * n;
  printf("%d %d %d\n", cube[1][2][3], sum_fixed(cube[1], 3), (int)(&cube[1][1][1] - &cube[0][2][0]));
  int *p = line, *q = &line[2 * n - 1];
  while (p < q) { int t = *p; *p++ = *q; *q-- = t; }
  printf("%d %d %d %d\n", line[0], line[n], (int)(p - line), (int)(q - p));
  char *bytes = (char *)cube; bytes += sizeof(int) * 5;
  printf("%d %d\n", *(int *)bytes, 2[line] + *(line + 1));
  for (int round = 0; round < 3; round++) {
    char scratch[round + n];
    for (int i = 0; i < round + n; i++) scratch[i] = (char)(i + round);
    printf("%d ", scratch[round + n - 1]);
  }
  int copy[2][3]; int (*view)[3] = copy;
  for (int i = 0; i < 2; i++) for (int k = 0; k < 3; k++) view[i][k] = i - k;
  printf("%d %d %d\n", copy[1][2], **copy, *copy[1]);
  unsigned index = 3; long back = -1;
  printf("%d %d %d\n", line[index - 2u], (line + 1)[back], &line[n] > line + 1);
  return sum_rows(2, 3, copy) & 127;
}
