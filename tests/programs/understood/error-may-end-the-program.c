// claim: unknown a call of `error` cannot be executed
extern void reach_error(void);
extern void error(int status, int number, const char *format, ...);
int main(void) {
    error(1, 0, "over");
    reach_error();
    return 0;
}
