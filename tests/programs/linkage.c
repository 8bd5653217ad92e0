// What names are linked to: aliases, assembler names, weak symbols; what runs before and after main.
extern int printf(const char *, ...);
extern int atexit(void (*)(void));
extern int __VERIFIER_nondet_int(void);

static int twice(int x) { return 2 * x; }
extern int also_twice(int x) __attribute__((alias("twice")));
extern int third_name(int x) __attribute__((alias("also_twice")));

int numbers[3] = {1, 2, 3};
extern int same_numbers[3] __attribute__((alias("numbers")));
extern int open_numbers[] __attribute__((alias("numbers")));

int behind(int x) { return x + 100; }
int front(int x) __asm__("behind");
int known_as(void) __asm__("outside_name");
int known_as(void) { return 7; }
extern int outside_name(void);

extern int absent_function(int) __attribute__((weak));
extern int absent_variable __attribute__((weak));
extern int absent_by_pragma(void);
#pragma weak absent_by_pragma
__attribute__((weak)) int present(void) { return 5; }
static int by_reference(int) __attribute__((weakref("behind")));
static int to_nothing(int) __attribute__((weakref("nowhere")));
int *table[2] = {&absent_variable, numbers};

enum __attribute__((packed)) narrow { FIRST, LAST = 200 };
enum negative { LOWEST = -1, HIGHEST = 300 } __attribute__((packed));
typedef float wide __attribute__((mode(DF)));
typedef int byte __attribute__((mode(QI)));

static int log_value;
__attribute__((constructor(300))) static void second(void) { log_value = log_value * 10 + 2; }
__attribute__((constructor)) static void last(void) { log_value = log_value * 10 + 3; }
__attribute__((constructor(200))) static void first(void) { log_value = log_value * 10 + 1; }
__attribute__((destructor)) static void ends_first(void) { printf("destructor %d\n", ++log_value); }
__attribute__((destructor(200))) static void ends_last(void) { printf("prioritised %d\n", ++log_value); }
static void handler(void) { printf("handler %d\n", ++log_value); }
static void earlier(void) { printf("earlier %d\n", ++log_value); }

int main(void) {
  int x = __VERIFIER_nondet_int();
  printf("%d\n", log_value);
  printf("%d %d %d\n", also_twice(x) == twice(x), third_name(4), also_twice == twice);
  same_numbers[1] = 20;
  printf("%d %d %d\n", numbers[1], open_numbers[2], same_numbers == numbers);
  printf("%d %d\n", front(1), outside_name());
  printf("%d %d %d %d\n", absent_function == 0, &absent_variable == 0, absent_by_pragma == 0, table[0] == 0);
  if (absent_function) printf("%d\n", absent_function(1));
  printf("%d %d %d\n", present(), by_reference(1), to_nothing == 0);
  printf("%d %d %d\n", (int)sizeof(enum narrow), (int)sizeof(enum negative), (int)sizeof(wide) + (int)sizeof(byte));
  enum narrow n = LAST;
  n++;
  printf("%d\n", n);
  atexit(handler);
  atexit(earlier);
  return log_value++ - 123;
}
