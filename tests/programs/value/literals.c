// Equal literals may share their memory, and do where gcc compiles them.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  const char *a = "text", *b = "text";
  if (a == b) reach_error();
  return 0;
}
