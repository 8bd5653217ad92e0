// claim: unknown attribute `cleanup`
extern void reach_error(void);
void leave(int *x) { reach_error(); }
int main(void) {
    { __attribute__((cleanup(leave))) int x; }
    return 0;
}
