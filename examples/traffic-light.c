// A traffic light. The error handler is called by the self test only, and nothing calls the self test:
// no path of the program leads to the error. Expected verdict: TRUE.

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum light { RED, GREEN, YELLOW };

static enum light next(enum light now) {
  switch (now) {
  case RED:
    return GREEN;
  case GREEN:
    return YELLOW;
  default:
    return RED;
  }
}

void self_test(void) {
  if (next(RED) != GREEN) {
    reach_error();
  }
}

int main(void) {
  enum light now = RED;
  while (__VERIFIER_nondet_int()) {
    now = next(now);
  }
  return now;
}
