// claim: solved
// The format writes to memory how much was printed.
extern int printf(const char *format, ...);
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  int length = 0;
  printf("abc%n", &length);
  if (length == 3)
    reach_error();
  return 0;
}
