// claim: solved
extern void reach_error(void);
// One run, which is too long to be repeated often.
int main(void) {
  unsigned x = 0;
  while (x < 0x0fffffff)
    x++;
  if (x % 2)
    reach_error();
  return 0;
}
