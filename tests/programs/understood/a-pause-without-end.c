// claim: unknown a call of `pause` cannot be executed
extern void reach_error(void);
extern int pause(void);
int main(void) {
    pause();
    reach_error();
    return 0;
}
