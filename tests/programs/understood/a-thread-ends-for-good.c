// claim: unknown thrd_exit runs code in ways that are not followed
extern void reach_error(void);
extern void thrd_exit(int result);
int main(void) {
    thrd_exit(0);
    reach_error();
    return 0;
}
