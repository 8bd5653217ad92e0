// claim: unknown a call of `wcscpy` cannot be executed
// The copy makes the error reachable; functions of the C library may change memory.
extern void reach_error(void);
int *wcscpy(int *to, const int *from);
int main(void) {
    int from[2] = {1, 0}, to[2] = {0, 0};
    wcscpy(to, from);
    if (to[0]) reach_error();
    return 0;
}
