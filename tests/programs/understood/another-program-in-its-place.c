// claim: unknown a call of `execl` cannot be executed
extern void reach_error(void);
extern int execl(const char *path, const char *argument, ...);
int main(void) {
    execl("/bin/true", "true", (char *)0);
    reach_error();
    return 0;
}
