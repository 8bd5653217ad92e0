// claim: unknown attribute `target`
extern void reach_error(void);
__attribute__((target("arch=i686"))) int again(void) { return 1; }
int main(void) {
    if (again()) reach_error();
    return 0;
}
