// claim: unknown length with side effects in an old-style parameter
extern void reach_error(void);
static int length(rows, count)
    int count;
    int rows[][count++];
{
    return count;
}
int main(void) {
    int rows[1][2];
    if (length(rows, 2) < 2) reach_error();
    return 0;
}
