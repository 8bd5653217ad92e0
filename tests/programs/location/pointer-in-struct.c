extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct driver {
  int state;
  void (*stop)(struct driver *);
};
static void stop(struct driver *d) {
  if (d->state == 7) {
    reach_error();
  }
}
int main(void) {
  struct driver d = {.stop = stop, .state = 7};
  struct driver *p = &d;
  p->stop(p);
  return 0;
}
