// claim: unknown operands whose order C leaves open, and which gcc folds
extern void reach_error(void);
static int x;
static int f(int k) {
    x = x * 10 + k;
    return k;
}
int main(void) {
    x = 3;
    if (x - f(1) - x != -1) reach_error();
    return 0;
}
