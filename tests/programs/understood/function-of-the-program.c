// claim: solved
// A function that no library has: by the convention of the field it returns anything and touches nothing.
extern void reach_error(void);
int configure(int *settings);
int main(void) {
    int x = 0;
    configure(&x);
    if (x) reach_error();
    return 0;
}
