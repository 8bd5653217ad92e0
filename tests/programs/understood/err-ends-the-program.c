// claim: unknown err runs code in ways that are not followed
extern void reach_error(void);
extern void err(int status, const char *format, ...);
int main(void) {
    err(1, "over");
    reach_error();
    return 0;
}
