// claim: unknown attribute `alias`: `f` is another name for itself
extern void reach_error(void);
void f(void) __attribute__((alias("g")));
void g(void) __attribute__((alias("f")));
int main(void) {
    f();
    return 0;
}
