// claim: unknown return from `stop`, which is declared not to return
extern void reach_error(void);
__attribute__((noreturn)) void stop(int code);
void stop(int code) { if (code > 1) for (;;) { } }
int main(void) {
    stop(1);
    reach_error();
    return 0;
}
