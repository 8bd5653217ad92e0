// The variables of a call may have the memory of an earlier call's.
extern void reach_error(void);
unsigned long first(void) { int x; int *volatile p = &x; return (unsigned long)p; }
unsigned long second(void) { int y; int *volatile p = &y; return (unsigned long)p; }
int main(void) {
    if (first() == second()) reach_error();
    return 0;
}
