// claim: unknown attribute `returns_twice`
extern void reach_error(void);
__attribute__((returns_twice)) int again(void) { return 1; }
int main(void) {
    if (again()) reach_error();
    return 0;
}
