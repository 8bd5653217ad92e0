// claim: unknown initialiser with side effects whose designators are not in the order of the members
extern void reach_error(void);
static int calls;
static int next(int value) {
    calls = calls * 10 + value;
    return value;
}
int main(void) {
    struct { int x, y; } p = {.y = next(1), .x = next(2)};
    if (calls == 21 && p.x == 2) reach_error();
    return 0;
}
