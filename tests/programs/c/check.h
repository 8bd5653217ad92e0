// What the programs of the folders beside this file check with, each one construct of C11 or GNU C. The program as it stands
// never calls reach_error; its twin, in which TWIN_PROGRAM is defined, does so for some input.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

// An expression, so that it can stand wherever one can.
#define CHECK(...) ((__VA_ARGS__) ? (void)0 : reach_error())

// The check that tells both programs apart. What contains commas stands in parentheses.
#ifdef TWIN_PROGRAM
#define TWIN(holds, fails) CHECK(fails)
#else
#define TWIN(holds, fails) CHECK(holds)
#endif

// A variable of main with any value between both bounds.
#define INPUT(name, low, high)                                                                                         \
  int name = __VERIFIER_nondet_int();                                                                                  \
  if (name < (low) || name > (high)) return 0;
