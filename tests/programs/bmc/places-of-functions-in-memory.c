// Where functions are is for the linker to say, however their addresses are read.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int later(int x);
int earlier(int x) { return x + later(x); }
int later(int x) { return x * 2; }
union { int (*function)(int); unsigned number; } first, second;
int main(void) {
    int n = __VERIFIER_nondet_int();
    first.function = earlier;
    second.function = later;
    if (n == 1 && first.number < second.number) reach_error();
    if (n == 2 && first.number > second.number) reach_error();
    if (n == 3 && ((unsigned)(void *)earlier & 1)) reach_error();
    return 0;
}
