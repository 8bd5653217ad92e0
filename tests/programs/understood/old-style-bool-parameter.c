// claim: unknown old-style parameter of type _Bool
extern void reach_error(void);
static int same(flag)
    _Bool flag;
{
    return flag;
}
int main(void) {
    if (same(256) == 0) reach_error();
    return 0;
}
