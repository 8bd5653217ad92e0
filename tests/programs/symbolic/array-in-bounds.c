// claim: solved
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned char table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  unsigned i = __VERIFIER_nondet_uint() % 8;
  unsigned j = __VERIFIER_nondet_uint() % 8;
  unsigned char old = table[i];
  table[i] = table[j];
  table[j] = old;
  unsigned sum = 0;
  for (int k = 0; k < 8; k++) {
    sum += table[k];
  }
  if (sum != 31) {
    reach_error();
  }
  return 0;
}
