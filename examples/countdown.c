// Counts down from an input to zero. That the error is unreachable follows from `left + done == start`, which the default finds as an
// invariant of the loop. Expected verdict: TRUE.

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int start = __VERIFIER_nondet_int();
  if (start < 0 || start > 1000) {
    return 0;
  }
  int left = start;
  int done = 0;
  while (left > 0) {
    left--;
    done++;
  }
  if (done != start) {
    reach_error();
  }
  return 0;
}
