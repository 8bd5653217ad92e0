// claim: unknown operands whose order C leaves open, and which gcc folds
extern void reach_error(void);
static struct pair { int a, b; } pairs[40];
static int x;
static int f(int k) {
    x = x * 10 + k;
    return k;
}
int main(void) {
    x = 2;
    pairs[x] = (struct pair){f(3), 1};
    if (pairs[2].a != 3) reach_error();
    return 0;
}
