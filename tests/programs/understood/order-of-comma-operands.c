// claim: unknown operands whose order C leaves open, and which gcc folds
extern void reach_error(void);
static int x;
static int f(int k) {
    x = x * 10 + k;
    return k;
}
int main(void) {
    if ((f(1), f(2)) + (f(3), f(4)) != 6) reach_error();
    if (x != 1324) reach_error();
    return 0;
}
